// Reads a JSON document from standard input and prints it again, or prints facts about it:
//
//     json              the document, in one line
//     json --pretty     the document, indented
//     json --facts      depth, number of values, sum of all numbers
//     json --get a.b.2  the value at a path of names and indices
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// ---------------------------------------------------------------- values

enum class Type { Null, Boolean, Number, String, Array, Object };

class Value {
public:
    using Member = std::pair<std::string, Value>;

    Value() : type(Type::Null), boolean(false), number(0) {}

    static Value of_boolean(bool boolean)
    {
        Value value;
        value.type = Type::Boolean;
        value.boolean = boolean;
        return value;
    }

    static Value of_number(int number)
    {
        Value value;
        value.type = Type::Number;
        value.number = number;
        return value;
    }

    static Value of_string(const std::string &string)
    {
        Value value;
        value.type = Type::String;
        value.string = string;
        return value;
    }

    static Value of_elements(const std::vector<Value> &elements)
    {
        Value value;
        value.type = Type::Array;
        value.elements = elements;
        return value;
    }

    static Value of_members(const std::vector<Member> &members)
    {
        Value value;
        value.type = Type::Object;
        value.members = members;
        return value;
    }

    // The value under a name of an object or at an index of an array, or null.
    Value get(const std::string &key) const
    {
        if (type == Type::Object) {
            for (const Member &member : members)
                if (member.first == key)
                    return member.second;
        }
        if (type == Type::Array) {
            std::size_t index = std::strtoul(key.c_str(), nullptr, 10);
            if (index < elements.size())
                return elements[index];
        }
        return Value();
    }

    int depth() const
    {
        int deepest = 0;
        for (const Value &element : elements)
            deepest = std::max(deepest, element.depth());
        for (const Member &member : members)
            deepest = std::max(deepest, member.second.depth());
        return deepest + 1;
    }

    int count() const
    {
        int values = 1;
        for (const Value &element : elements)
            values += element.count();
        for (const Member &member : members)
            values += member.second.count();
        return values;
    }

    long sum() const
    {
        long total = number;
        for (const Value &element : elements)
            total += element.sum();
        for (const Member &member : members)
            total += member.second.sum();
        return total;
    }

    Type type;
    bool boolean;
    int number;
    std::string string;
    std::vector<Value> elements;
    std::vector<Member> members;
};

// ---------------------------------------------------------------- reading

class JsonError : public std::runtime_error {
public:
    JsonError(const std::string &message, std::size_t position)
        : std::runtime_error(message + " at " + std::to_string(position))
    {
    }
};

class Parser {
public:
    explicit Parser(const std::string &text) : text(text), position(0) {}

    Value document()
    {
        skip_spaces();
        Value result = value();
        skip_spaces();
        if (position < text.size())
            throw JsonError("something follows the document", position);
        return result;
    }

private:
    char peek() const { return position < text.size() ? text[position] : '\0'; }

    void skip_spaces()
    {
        while (std::isspace(static_cast<unsigned char>(peek())))
            position++;
    }

    bool accept(char expected)
    {
        skip_spaces();
        if (peek() != expected)
            return false;
        position++;
        return true;
    }

    void expect(char expected)
    {
        if (!accept(expected))
            throw JsonError(std::string("expected ") + expected, position);
    }

    bool accept_word(const std::string &word)
    {
        if (text.compare(position, word.size(), word) != 0)
            return false;
        position += word.size();
        return true;
    }

    Value value()
    {
        skip_spaces();
        if (peek() == '{')
            return object();
        if (peek() == '[')
            return array();
        if (peek() == '"')
            return Value::of_string(string());
        if (peek() == '-' || std::isdigit(static_cast<unsigned char>(peek())))
            return Value::of_number(number());
        if (accept_word("true"))
            return Value::of_boolean(true);
        if (accept_word("false"))
            return Value::of_boolean(false);
        if (accept_word("null"))
            return Value();
        throw JsonError("no value", position);
    }

    Value object()
    {
        std::vector<Value::Member> members;
        expect('{');
        if (accept('}'))
            return Value::of_members(members);
        do {
            skip_spaces();
            std::string name = string();
            expect(':');
            Value member = value();
            members.push_back(Value::Member(name, member));
        } while (accept(','));
        expect('}');
        return Value::of_members(members);
    }

    Value array()
    {
        std::vector<Value> elements;
        expect('[');
        if (accept(']'))
            return Value::of_elements(elements);
        do {
            Value element = value();
            elements.push_back(element);
        } while (accept(','));
        expect(']');
        return Value::of_elements(elements);
    }

    int number()
    {
        bool negative = accept('-');
        if (!std::isdigit(static_cast<unsigned char>(peek())))
            throw JsonError("no digits", position);
        int result = 0;
        while (std::isdigit(static_cast<unsigned char>(peek()))) {
            int digit = peek() - '0';
            result = result * 10 + digit;
            position++;
        }
        return negative ? -result : result;
    }

    std::string string()
    {
        std::string result;
        if (peek() != '"')
            throw JsonError("expected a string", position);
        position++;
        while (peek() != '"') {
            if (position >= text.size())
                throw JsonError("string without end", position);
            if (peek() == '\\') {
                position++;
                result += escape();
            } else {
                result += peek();
            }
            position++;
        }
        position++;
        return result;
    }

    char escape()
    {
        switch (peek()) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case '"':
        case '\\':
        case '/':
            return peek();
        default:
            throw JsonError("unknown escape", position);
        }
    }

    std::string text;
    std::size_t position;
};

// ---------------------------------------------------------------- writing

class Writer {
public:
    explicit Writer(bool pretty) : pretty(pretty), level(0) {}

    std::string write(const Value &value)
    {
        output.str("");
        put(value);
        return output.str();
    }

private:
    void put(const Value &value)
    {
        switch (value.type) {
        case Type::Null:
            output << "null";
            break;
        case Type::Boolean:
            output << (value.boolean ? "true" : "false");
            break;
        case Type::Number:
            output << value.number;
            break;
        case Type::String:
            put_string(value.string);
            break;
        case Type::Array:
            put_array(value);
            break;
        case Type::Object:
            put_object(value);
            break;
        }
    }

    void put_string(const std::string &string)
    {
        output << '"';
        for (char c : string) {
            if (c == '"' || c == '\\')
                output << '\\' << c;
            else if (c == '\n')
                output << "\\n";
            else
                output << c;
        }
        output << '"';
    }

    void put_array(const Value &value)
    {
        output << '[';
        level++;
        for (std::size_t i = 0; i < value.elements.size(); i++) {
            if (i > 0)
                output << ',';
            new_line();
            put(value.elements[i]);
        }
        level--;
        new_line();
        output << ']';
    }

    void put_object(const Value &value)
    {
        output << '{';
        level++;
        for (std::size_t i = 0; i < value.members.size(); i++) {
            if (i > 0)
                output << ',';
            new_line();
            put_string(value.members[i].first);
            output << (pretty ? ": " : ":");
            put(value.members[i].second);
        }
        level--;
        new_line();
        output << '}';
    }

    void new_line()
    {
        if (!pretty)
            return;
        output << '\n';
        for (int i = 0; i < level; i++)
            output << "  ";
    }

    std::ostringstream output;
    bool pretty;
    int level;
};

// ---------------------------------------------------------------- main

static Value follow(Value value, const std::string &path)
{
    std::istringstream keys(path);
    std::string key;
    while (std::getline(keys, key, '.'))
        value = value.get(key);
    return value;
}

static void print_facts(const Value &value)
{
    std::cout << "depth " << value.depth() << '\n';
    std::cout << "values " << value.count() << '\n';
    std::cout << "sum " << value.sum() << '\n';
}

int main(int argc, char **argv)
{
    std::string option = argc > 1 ? argv[1] : "";
    std::string text;
    std::getline(std::cin, text, '\0');

    Parser parser(text);
    Value document = parser.document();
    if (option == "--facts") {
        print_facts(document);
    } else if (option == "--get" && argc > 2) {
        Writer writer(false);
        std::cout << writer.write(follow(document, argv[2])) << '\n';
    } else {
        Writer writer(option == "--pretty");
        std::cout << writer.write(document) << '\n';
    }
    return 0;
}

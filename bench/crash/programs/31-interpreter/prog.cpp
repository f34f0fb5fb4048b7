// An interpreter for a very small language, one statement to a line:
//
//     let NAME = EXPRESSION
//     print EXPRESSION {, EXPRESSION}
//     if EXPRESSION ... [else ...] end
//     while EXPRESSION ... end
//     def NAME(NAME, ...) ... end
//     return EXPRESSION
//
// Values are integers. Text in quotes may be printed. Everything after # is a comment.
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// ---------------------------------------------------------------- errors

class SyntaxError {
public:
    SyntaxError(const std::string &message, int line) : message(message), line(line) {}
    const std::string &what() const { return message; }
    int where() const { return line; }

private:
    std::string message;
    int line;
};

class RuntimeError {
public:
    explicit RuntimeError(const std::string &message) : message(message) {}
    const std::string &what() const { return message; }

private:
    std::string message;
};

// ---------------------------------------------------------------- tokens

enum class Kind { Number, Name, Text, Symbol, Newline, End };

struct Token {
    Kind kind;
    std::string text;
    int line;
};

class Lexer {
public:
    explicit Lexer(const std::string &source) : source(source), position(0), line(1) {}

    std::vector<Token> tokens()
    {
        std::vector<Token> result;
        while (position < source.size()) {
            char c = source[position];
            if (c == '\n') {
                result.push_back({Kind::Newline, "\\n", line});
                line++;
                position++;
            } else if (std::isspace(static_cast<unsigned char>(c))) {
                position++;
            } else if (c == '#') {
                skip_comment();
            } else if (std::isdigit(static_cast<unsigned char>(c))) {
                result.push_back({Kind::Number, take_digits(), line});
            } else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
                result.push_back({Kind::Name, take_name(), line});
            } else if (c == '"') {
                result.push_back({Kind::Text, take_text(), line});
            } else {
                result.push_back({Kind::Symbol, take_symbol(), line});
            }
        }
        result.push_back({Kind::Newline, "\\n", line});
        result.push_back({Kind::End, "the end", line});
        return result;
    }

private:
    void skip_comment()
    {
        while (position < source.size() && source[position] != '\n')
            position++;
    }

    std::string take_digits()
    {
        std::string digits;
        while (position < source.size() && std::isdigit(static_cast<unsigned char>(source[position])))
            digits += source[position++];
        return digits;
    }

    std::string take_name()
    {
        std::string name;
        while (position < source.size()
               && (std::isalnum(static_cast<unsigned char>(source[position])) || source[position] == '_'))
            name += source[position++];
        return name;
    }

    std::string take_text()
    {
        std::string text;
        position++;
        while (position < source.size() && source[position] != '"') {
            if (source[position] == '\n')
                throw SyntaxError("text without end", line);
            text += source[position++];
        }
        position++;
        return text;
    }

    std::string take_symbol()
    {
        static const char *pairs[] = {"==", "!=", "<=", ">="};
        for (const char *pair : pairs) {
            if (source.compare(position, 2, pair) == 0) {
                position += 2;
                return pair;
            }
        }
        return std::string(1, source[position++]);
    }

    std::string source;
    std::size_t position;
    int line;
};

// ---------------------------------------------------------------- the state of a running program

class Function;

class Environment {
public:
    explicit Environment(Environment *globals) : globals(globals) {}

    void assign(const std::string &name, int value) { variables[name] = value; }

    int lookup(const std::string &name) const
    {
        auto found = variables.find(name);
        if (found != variables.end())
            return found->second;
        if (globals != nullptr)
            return globals->lookup(name);
        throw RuntimeError("undefined variable " + name);
    }

    void define(const std::string &name, const Function *function) { functions[name] = function; }

    const Function *function(const std::string &name) const
    {
        auto found = functions.find(name);
        if (found != functions.end())
            return found->second;
        return globals == nullptr ? nullptr : globals->function(name);
    }

    Environment *outermost() { return globals == nullptr ? this : globals; }

private:
    Environment *globals;
    std::map<std::string, int> variables;
    std::map<std::string, const Function *> functions;
};

// ---------------------------------------------------------------- expressions

class Expression {
public:
    virtual ~Expression() {}
    virtual int evaluate(Environment &environment) const = 0;
};

using ExpressionPointer = std::unique_ptr<Expression>;

class Number : public Expression {
public:
    explicit Number(int value) : value(value) {}
    int evaluate(Environment &) const override { return value; }

private:
    int value;
};

class Variable : public Expression {
public:
    explicit Variable(const std::string &name) : name(name) {}

    int evaluate(Environment &environment) const override
    {
        return environment.lookup(name);
    }

private:
    std::string name;
};

class Negation : public Expression {
public:
    explicit Negation(ExpressionPointer operand) : operand(std::move(operand)) {}
    int evaluate(Environment &environment) const override { return -operand->evaluate(environment); }

private:
    ExpressionPointer operand;
};

class Binary : public Expression {
public:
    Binary(const std::string &symbol, ExpressionPointer left, ExpressionPointer right)
        : symbol(symbol), left(std::move(left)), right(std::move(right))
    {
    }

    int evaluate(Environment &environment) const override
    {
        int a = left->evaluate(environment);
        int b = right->evaluate(environment);
        if (symbol == "+")
            return a + b;
        if (symbol == "-")
            return a - b;
        if (symbol == "*")
            return a * b;
        if (symbol == "/" || symbol == "%") {
            if (b == 0)
                throw RuntimeError("division by zero");
            return symbol == "/" ? a / b : a % b;
        }
        if (symbol == "<")
            return a < b;
        if (symbol == ">")
            return a > b;
        if (symbol == "<=")
            return a <= b;
        if (symbol == ">=")
            return a >= b;
        return symbol == "==" ? a == b : a != b;
    }

private:
    std::string symbol;
    ExpressionPointer left, right;
};

class Call : public Expression {
public:
    Call(const std::string &name, std::vector<ExpressionPointer> arguments)
        : name(name), arguments(std::move(arguments))
    {
    }
    int evaluate(Environment &environment) const override;

private:
    std::string name;
    std::vector<ExpressionPointer> arguments;
};

// ---------------------------------------------------------------- statements

// What a return statement carries out of the statements around it.
struct Return {
    int value;
};

class Statement {
public:
    virtual ~Statement() {}
    virtual void execute(Environment &environment) const = 0;
};

using StatementPointer = std::unique_ptr<Statement>;

class Block {
public:
    void add(StatementPointer statement) { statements.push_back(std::move(statement)); }
    std::size_t size() const { return statements.size(); }

    void execute(Environment &environment) const
    {
        for (const StatementPointer &statement : statements)
            statement->execute(environment);
    }

private:
    std::vector<StatementPointer> statements;
};

class Let : public Statement {
public:
    Let(const std::string &name, ExpressionPointer value) : name(name), value(std::move(value)) {}

    void execute(Environment &environment) const override
    {
        environment.assign(name, value->evaluate(environment));
    }

private:
    std::string name;
    ExpressionPointer value;
};

class Print : public Statement {
public:
    void add_text(const std::string &text) { parts.push_back({text, nullptr}); }
    void add_value(ExpressionPointer value) { parts.push_back({"", std::move(value)}); }

    void execute(Environment &environment) const override
    {
        for (std::size_t i = 0; i < parts.size(); i++) {
            if (i > 0)
                std::cout << ' ';
            if (parts[i].value == nullptr)
                std::cout << parts[i].text;
            else
                std::cout << parts[i].value->evaluate(environment);
        }
        std::cout << '\n';
    }

private:
    struct Part {
        std::string text;
        ExpressionPointer value;
    };
    std::vector<Part> parts;
};

class If : public Statement {
public:
    If(ExpressionPointer condition, Block then, Block otherwise)
        : condition(std::move(condition)), then(std::move(then)), otherwise(std::move(otherwise))
    {
    }

    void execute(Environment &environment) const override
    {
        if (condition->evaluate(environment) != 0)
            then.execute(environment);
        else
            otherwise.execute(environment);
    }

private:
    ExpressionPointer condition;
    Block then, otherwise;
};

class While : public Statement {
public:
    While(ExpressionPointer condition, Block body) : condition(std::move(condition)), body(std::move(body)) {}

    void execute(Environment &environment) const override
    {
        while (condition->evaluate(environment) != 0)
            body.execute(environment);
    }

private:
    ExpressionPointer condition;
    Block body;
};

class ReturnStatement : public Statement {
public:
    explicit ReturnStatement(ExpressionPointer value) : value(std::move(value)) {}
    void execute(Environment &environment) const override { throw Return{value->evaluate(environment)}; }

private:
    ExpressionPointer value;
};

class Function : public Statement {
public:
    Function(const std::string &name, std::vector<std::string> parameters, Block body)
        : name(name), parameters(std::move(parameters)), body(std::move(body))
    {
    }

    void execute(Environment &environment) const override { environment.define(name, this); }

    int call(Environment *globals, const std::vector<int> &arguments) const
    {
        if (arguments.size() != parameters.size())
            throw RuntimeError(name + " wants other arguments");
        Environment locals(globals);
        for (std::size_t i = 0; i < parameters.size(); i++)
            locals.assign(parameters[i], arguments[i]);
        try {
            body.execute(locals);
        } catch (const Return &result) {
            return result.value;
        }
        return 0;
    }

private:
    std::string name;
    std::vector<std::string> parameters;
    Block body;
};

int Call::evaluate(Environment &environment) const
{
    const Function *function = environment.function(name);
    if (function == nullptr)
        throw RuntimeError("undefined function " + name);
    std::vector<int> values;
    for (const ExpressionPointer &argument : arguments)
        values.push_back(argument->evaluate(environment));
    return function->call(environment.outermost(), values);
}

// ---------------------------------------------------------------- parser

class Parser {
public:
    explicit Parser(const std::vector<Token> &tokens) : tokens(tokens), position(0) {}

    Block program()
    {
        Block block = statements();
        if (peek().kind != Kind::End)
            throw SyntaxError("unexpected " + peek().text, peek().line);
        return block;
    }

private:
    const Token &peek() const { return tokens[position]; }

    bool accept(const std::string &text)
    {
        if (peek().kind == Kind::Text || peek().text != text)
            return false;
        position++;
        return true;
    }

    void expect(const std::string &text)
    {
        if (!accept(text))
            throw SyntaxError("expected " + text + " and not " + peek().text, peek().line);
    }

    std::string name()
    {
        if (peek().kind != Kind::Name)
            throw SyntaxError("expected a name and not " + peek().text, peek().line);
        return tokens[position++].text;
    }

    bool at_end_of_block() const
    {
        return peek().kind == Kind::End || peek().text == "end" || peek().text == "else";
    }

    void skip_newlines()
    {
        while (accept("\\n")) {
        }
    }

    Block statements()
    {
        Block block;
        skip_newlines();
        while (!at_end_of_block()) {
            block.add(statement());
            expect("\\n");
            skip_newlines();
        }
        return block;
    }

    StatementPointer statement()
    {
        if (accept("let"))
            return let();
        if (accept("print"))
            return print();
        if (accept("if"))
            return conditional();
        if (accept("while"))
            return loop();
        if (accept("def"))
            return definition();
        if (accept("return"))
            return StatementPointer(new ReturnStatement(expression()));
        throw SyntaxError("no statement starts with " + peek().text, peek().line);
    }

    StatementPointer let()
    {
        std::string variable = name();
        expect("=");
        return StatementPointer(new Let(variable, expression()));
    }

    StatementPointer print()
    {
        std::unique_ptr<Print> statement(new Print());
        do {
            if (peek().kind == Kind::Text)
                statement->add_text(tokens[position++].text);
            else
                statement->add_value(expression());
        } while (accept(","));
        return statement;
    }

    StatementPointer conditional()
    {
        ExpressionPointer condition = expression();
        Block then = statements();
        Block otherwise;
        if (accept("else"))
            otherwise = statements();
        expect("end");
        return StatementPointer(new If(std::move(condition), std::move(then), std::move(otherwise)));
    }

    StatementPointer loop()
    {
        ExpressionPointer condition = expression();
        Block body = statements();
        expect("end");
        return StatementPointer(new While(std::move(condition), std::move(body)));
    }

    StatementPointer definition()
    {
        std::string function = name();
        std::vector<std::string> parameters;
        expect("(");
        if (!accept(")")) {
            do {
                parameters.push_back(name());
            } while (accept(","));
            expect(")");
        }
        Block body = statements();
        expect("end");
        return StatementPointer(new Function(function, parameters, std::move(body)));
    }

    ExpressionPointer expression() { return binary(0); }

    ExpressionPointer binary(int level)
    {
        static const std::vector<std::vector<std::string>> levels = {
            {"==", "!=", "<", ">", "<=", ">="},
            {"+", "-"},
            {"*", "/", "%"},
        };
        if (level == static_cast<int>(levels.size()))
            return unary();
        ExpressionPointer left = binary(level + 1);
        for (std::size_t i = 0; i < levels[level].size();) {
            std::string symbol = levels[level][i];
            if (accept(symbol)) {
                ExpressionPointer right = binary(level + 1);
                left.reset(new Binary(symbol, std::move(left), std::move(right)));
                i = 0;
            } else {
                i++;
            }
        }
        return left;
    }

    ExpressionPointer unary()
    {
        if (accept("-"))
            return ExpressionPointer(new Negation(unary()));
        if (accept("(")) {
            ExpressionPointer inner = expression();
            expect(")");
            return inner;
        }
        if (peek().kind == Kind::Number)
            return ExpressionPointer(new Number(std::atoi(tokens[position++].text.c_str())));
        std::string word = name();
        if (!accept("("))
            return ExpressionPointer(new Variable(word));
        std::vector<ExpressionPointer> arguments;
        if (!accept(")")) {
            do {
                arguments.push_back(expression());
            } while (accept(","));
            expect(")");
        }
        return ExpressionPointer(new Call(word, std::move(arguments)));
    }

    std::vector<Token> tokens;
    std::size_t position;
};

// ---------------------------------------------------------------- main

static std::string read_all(std::istream &input)
{
    std::string text, line;
    while (std::getline(input, line))
        text += line + "\n";
    return text;
}

static void run(const Block &program)
{
    Environment globals(nullptr);
    program.execute(globals);
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && std::string(argv[1]) == "--verbose";
    try {
        Lexer lexer(read_all(std::cin));
        std::vector<Token> tokens = lexer.tokens();
        Parser parser(tokens);
        Block program = parser.program();
        if (verbose)
            std::cerr << tokens.size() << " tokens, " << program.size() << " statements\n";
        run(program);
    } catch (const SyntaxError &error) {
        std::cerr << "line " << error.where() << ": " << error.what() << '\n';
        return 1;
    }
    return 0;
}

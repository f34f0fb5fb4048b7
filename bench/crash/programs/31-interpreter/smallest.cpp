#include <memory>
#include <string>
#include <vector>

class RuntimeError {
public:
    RuntimeError(std::string) {}
};

class Environment {
public:
    int lookup(std::string name)
    {
        throw RuntimeError("undefined variable " + name);
    }
};

class Expression {
public:
    virtual int evaluate(Environment) = 0;
};

using ExpressionPointer = std::unique_ptr<Expression>;

class Variable : public Expression {
    int evaluate(Environment environment)
    {
        environment.lookup(name);
    }

    std::string name;
};

class Statement {
public:
    virtual void execute(Environment) = 0;
};

using StatementPointer = std::unique_ptr<Statement>;

class Block {
public:
    void add(StatementPointer statement) { statements.push_back(std::move(statement)); }

    void execute(Environment environment)
    {
        for (StatementPointer &statement : statements)
            statement->execute(environment);
    }

    std::vector<StatementPointer> statements;
};

class Print : public Statement {
public:
    void add_value(ExpressionPointer value) { parts.push_back({std::move(value)}); }

    void execute(Environment environment)
    {
                parts[0].value->evaluate(environment);
    }

    struct Part {
        ExpressionPointer value;
    };
    std::vector<Part> parts;
};

class Parser {
public:
    Block program()
    {
        Block block = statements();
        return block;
    }

    Block statements()
    {
        Block block;
            block.add(statement());
        return block;
    }

    StatementPointer statement()
    {
            return print();
    }

    StatementPointer print()
    {
        std::unique_ptr<Print> statement(new Print);
                statement->add_value(expression());
        return statement;
    }

    ExpressionPointer expression() { return binary(); }

    ExpressionPointer binary()
    {
            return unary();
    }

    ExpressionPointer unary()
    {
            return ExpressionPointer(new Variable);
    }
};

void run(Block &program)
{
    Environment globals;
    program.execute(globals);
}

int main()
{
        Parser parser;
        Block program = parser.program();
        run(program);
}

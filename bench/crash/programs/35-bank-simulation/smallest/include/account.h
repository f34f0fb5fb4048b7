class Account {
public:
    void withdraw();
};

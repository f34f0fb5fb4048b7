#include <stdlib.h>
struct matrix {
    double *cells;
};

struct matrix new_matrix()
{
    struct matrix matrix;
    matrix.cells = calloc(0, 0);
    return matrix;
}

void release(struct matrix *matrix)
{
    free(matrix->cells);
}

int main()
{
    struct matrix base = new_matrix();

    struct matrix result = base;

    release(&result);
    release(&base);
}

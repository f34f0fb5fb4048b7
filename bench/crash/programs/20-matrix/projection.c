#include <stdlib.h>

struct matrix {
    double *cells;
};

struct matrix new_matrix(int size)
{
    struct matrix matrix;
    matrix.cells = calloc(size * size, sizeof(double));
    return matrix;
}

void release(struct matrix *matrix)
{
    free(matrix->cells);
}

struct matrix power(struct matrix *base)
{
    struct matrix result = *base;
    return result;
}

int main()
{
    struct matrix base = new_matrix(3);

    struct matrix result = power(&base);

    release(&result);
    release(&base);
}

/* Matrices: powers, trace and transposition. */
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int size;
    double *cells;
};

static struct matrix new_matrix(int size)
{
    struct matrix matrix;
    matrix.size = size;
    matrix.cells = calloc(size * size, sizeof(double));
    return matrix;
}

static void release(struct matrix *matrix)
{
    free(matrix->cells);
}

static double *cell(const struct matrix *matrix, int row, int column)
{
    return &matrix->cells[row * matrix->size + column];
}

static struct matrix multiply(const struct matrix *a, const struct matrix *b)
{
    struct matrix product = new_matrix(a->size);
    for (int i = 0; i < a->size; i++)
        for (int j = 0; j < a->size; j++)
            for (int k = 0; k < a->size; k++)
                *cell(&product, i, j) += *cell(a, i, k) * *cell(b, k, j);
    return product;
}

static double trace(const struct matrix *matrix)
{
    double sum = 0;
    for (int i = 0; i < matrix->size; i++)
        sum += *cell(matrix, i, i);
    return sum;
}

static struct matrix power(const struct matrix *base, int exponent)
{
    struct matrix result = *base;
    for (int i = 1; i < exponent; i++)
        result = multiply(&result, base);
    return result;
}

int main(int argc, char **argv)
{
    int exponent = argc > 1 ? atoi(argv[1]) : 2;
    struct matrix base = new_matrix(3);
    for (int i = 0; i < 9; i++)
        base.cells[i] = (i * 7 + 3) % 5;

    struct matrix result = power(&base, exponent);
    printf("trace %g -> %g\n", trace(&base), trace(&result));

    release(&result);
    release(&base);
    return 0;
}

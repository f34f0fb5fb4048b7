int main(int argc, char **argv) // kept
{
    int count = 0; // kept
    int noise = 0;
    (void)argv;
again: // kept
    count++; // kept
    noise += 2;
    if (count < argc) // kept
        goto again; // kept
    if (noise)
        goto end;
    noise = 0;
end: // kept
    return count; // criterion
}

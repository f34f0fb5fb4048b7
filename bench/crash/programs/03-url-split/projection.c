#include <string.h>

int main(int argc, char **argv)
{
    char address[256];

    strncpy(address, argv[1], sizeof(address) - 1);

    char *host = address;
    char *separator = strstr(address, "://");
        host = separator + 3;

    char *path = strchr(host, '/');
    *path = '\0';
}

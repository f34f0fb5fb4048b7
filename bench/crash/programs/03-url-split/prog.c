/* Splits an address into scheme, host, port and path. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char address[256];
    char scheme[16] = "http";
    int port = 80;

    if (argc < 2) {
        fprintf(stderr, "usage: %s ADDRESS\n", argv[0]);
        return 2;
    }
    strncpy(address, argv[1], sizeof(address) - 1);
    address[sizeof(address) - 1] = '\0';

    char *host = address;
    char *separator = strstr(address, "://");
    if (separator != NULL) {
        size_t length = separator - address;
        if (length < sizeof(scheme)) {
            memcpy(scheme, address, length);
            scheme[length] = '\0';
        }
        host = separator + 3;
    }

    if (strcmp(scheme, "https") == 0)
        port = 443;
    else if (strcmp(scheme, "ftp") == 0)
        port = 21;

    /* Cut the path off the host. */
    char *path = strchr(host, '/');
    *path = '\0';
    path++;

    char *colon = strchr(host, ':');
    if (colon != NULL) {
        *colon = '\0';
        port = atoi(colon + 1);
    }

    printf("scheme: %s\n", scheme);
    printf("host:   %s\n", host);
    printf("port:   %d\n", port);
    printf("path:   /%s\n", path);
    return 0;
}

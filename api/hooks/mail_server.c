#include "api/hooks/mail_server.h"

#include <stdio.h>
#include <string.h>

#include "api/hooks/mail.h"
#include "api/loop/config.h"

enum { PASSWORD_TEXT = 256 };

static struct mail_server server;
static char url_text[HTTP_CLIENT_URL_MAX + MAIL_ADDRESS_MAX], host_text[HTTP_CLIENT_HOST_TEXT];
static char password_text[PASSWORD_TEXT];

/* The first line of a file. False: it cannot be read, is empty, or has more than that. */
static bool read_password(const char *path)
{
    FILE *file = fopen(path, "re");
    bool is_whole = false;

    if (file == NULL)
        return false;
    if (fgets(password_text, sizeof(password_text), file) != NULL) {
        password_text[strcspn(password_text, "\r\n")] = '\0';
        is_whole = *password_text != '\0' && fgetc(file) == EOF;
    }
    fclose(file);
    return is_whole;
}

static bool is_origin(const char *url)
{
    char host[HTTP_CLIENT_HOST_TEXT];
    const char *name = strstr(url, "://");

    return http_client_url_fault(url, true, host) == NULL && name != NULL &&
           strpbrk(name + strlen("://"), "/?#") == NULL;
}

/* The machine itself: nobody listens on the way there. */
static bool is_loopback(const char *host)
{
    static const char *const names[] = {"localhost:", "127.0.0.1:", "[::1]:"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(host, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static const char *settings_fault(const struct config *config)
{
    const char *fault = http_client_mail_url_fault(config->smtp, host_text);

    if (fault != NULL)
        return fault;
    if (config->mail_from == NULL || mail_address_fault(config->mail_from) != NULL)
        return "--mail-from is needed with it: an address such as plyd@example.org.";
    if (config->public_url == NULL || !is_origin(config->public_url))
        return "--public-url is needed with it, since mails lead there: an address without a path, "
               "such as https://play.example.org.";
    if ((config->smtp_user == NULL) != (config->smtp_password_file == NULL))
        return "--smtp-user and --smtp-password-file are given together or not at all.";
    if (config->smtp_password_file != NULL && !read_password(config->smtp_password_file))
        return "The file of --smtp-password-file cannot be read, or is not a password in one line.";
    return NULL;
}

bool mail_server_start(const struct config *config, const char **why)
{
    if (config->smtp == NULL)
        return true;
    *why = settings_fault(config);
    if (*why != NULL)
        return false;
    server = (struct mail_server){.url = url_text,
                                  .host = host_text,
                                  .from = config->mail_from,
                                  .domain = strrchr(config->mail_from, '@') + 1,
                                  .public_url = config->public_url,
                                  .links = config->links,
                                  .user = config->smtp_user,
                                  .password = config->smtp_user == NULL ? NULL : password_text,
                                  .needs_tls = config->smtp_plain == 0 && !is_loopback(host_text)};
    /* What stands behind the server is how plyd calls itself there. */
    snprintf(url_text, sizeof(url_text), "%s%s%s", config->smtp,
             config->smtp[strlen(config->smtp) - 1] == '/' ? "" : "/", server.domain);
    return true;
}

const struct mail_server *mail_server(void)
{
    return server.url == NULL ? NULL : &server;
}

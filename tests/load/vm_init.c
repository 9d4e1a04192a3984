/* Context: load.  The first process of a machine that has nothing else: runs
 * each line of /tests bare and under libmon, and writes what came of it to the
 * console in lines of base64. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <dirent.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 16

static void
prepare(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	mkdir("/proc", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mkdir("/dev", 0755);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	mkdir("/dev/shm", 01777);
	mount("shm", "/dev/shm", "tmpfs", 0, NULL);
	mkdir("/tmp", 01777);
	mkdir("/vm", 0755);
	mount("vm", "/vm", "tmpfs", 0, NULL);
	ioctl(fd, SIOCSIFFLAGS, &lo);
	close(fd);
}

/* As far as there is data: a live profile is a file of 64 MiB, most of it a
 * hole.  Its size goes before. */
static void
put_base64(FILE *in)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm"
	    "nopqrstuvwxyz0123456789+/";
	long size = lseek(fileno(in), 0, SEEK_END);
	long left = lseek(fileno(in), 0, SEEK_HOLE);
	unsigned char b[3];
	size_t n;

	printf("%ld ", size);
	lseek(fileno(in), 0, SEEK_SET);
	for (; left > 0 && (n = fread(b, 1, 3, in)) > 0; left -= 3) {
		unsigned x = (unsigned)b[0] << 16 | (n > 1 ? b[1] << 8 : 0) |
		    (n > 2 ? b[2] : 0);

		putchar(digits[x >> 18]);
		putchar(digits[x >> 12 & 63]);
		putchar(n > 1 ? digits[x >> 6 & 63] : '=');
		putchar(n > 2 ? digits[x & 63] : '=');
	}
	putchar('\n');
}

static void
put_file(const char *path)
{
	FILE *f = fopen(path, "r");

	if (f == NULL) {
		puts("0 ");
		return;
	}
	put_base64(f);
	fclose(f);
}

static void
child(char **word, const char *options, const char *profiles)
{
	int fd = open("/vm/out", O_CREAT | O_TRUNC | O_RDWR, 0600);

	dup2(fd, 1);
	dup2(fd, 2);
	close(fd);
	if (profiles != NULL) {
		setenv("PROFDIR", profiles, 1);
		setenv("PROFOPTS", options, 1);
		setenv("LD_PRELOAD", "/lib/libmon.so", 1);
	}
	execv(word[0], word);
	_exit(127);
}

static void
run(int number, char **word, const char *options, const char *profiles)
{
	int status = -1, one;
	pid_t pid, gone;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		child(word, options, profiles);
	while ((gone = wait(&one)) > 0)	/* orphans too: we are init */
		if (gone == pid)
			status = one;
	printf("\n@ %d %s %d ", number, profiles != NULL ? "mon" : "bare",
	    status);
	put_file("/vm/out");
}

static void
put_profiles(int number, const char *directory)
{
	DIR *d = opendir(directory);
	struct dirent *e;
	char path[512];

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, e->d_name);
		printf("\n@ %d file %s ", number, e->d_name);
		put_file(path);
	}
	if (d != NULL)
		closedir(d);
}

int
main(void)
{
	FILE *tests = fopen("/tests", "r");
	char line[512], directory[64], *word[WORDS];
	int number, n;

	prepare();
	for (number = 0; tests != NULL &&
	    fgets(line, sizeof(line), tests) != NULL; number++) {
		n = 0;
		for (char *w = strtok(line, " \n"); w != NULL && n < WORDS - 1;
		    w = strtok(NULL, " \n"))
			word[n++] = w;
		word[n] = NULL;
		snprintf(directory, sizeof(directory), "/vm/p%d", number);
		mkdir(directory, 0755);
		run(number, word + 1, word[0], NULL);
		run(number, word + 1, word[0], directory);
		put_profiles(number, directory);
	}
	puts("@ end");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}

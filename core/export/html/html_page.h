/*
 * Context: O.  The HTML page of a report as two strings, which embed.awk makes
 * from html/ at build time.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

/*
 * The page before and after its data.  The data are JSON in which no '<'
 * occurs.
 */
extern const char html_before[], html_after[];

#endif

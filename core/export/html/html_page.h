/*
 * Context: O.  The HTML page of a report as two strings, for export_html.c.
 * embed.awk makes html_page.c of them at build time, from the page, the style
 * sheet and the scripts of this folder.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

/*
 * The page before and after its data.  The data are JSON in which no '<'
 * occurs.
 */
extern const char html_before[], html_after[];

#endif

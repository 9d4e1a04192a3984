/* Context: O.  The page that a report is shown by: made from html/. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

/* Between them its data, as JSON in which no '<' stands. */
extern const char html_before[], html_after[];

#endif

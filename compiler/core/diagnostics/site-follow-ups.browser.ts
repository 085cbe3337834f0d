/** In a browser, templates are not a whole site, so there are no follow-ups between files. */
export function findSiteFollowUps(): () => boolean {
  return () => false
}

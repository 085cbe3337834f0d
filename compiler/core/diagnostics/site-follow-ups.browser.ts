/** In a browser templates are no whole site. */
export function siteFollowUps(): () => boolean {
  return () => false
}

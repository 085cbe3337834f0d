/** In a browser, templates are not a whole site, so no diagnostic is removed as a consequence of another one. */
export function findCauses(): () => null {
  return () => null
}

export function findSiteCascades(): () => boolean {
  return () => false
}

/** In a browser translations are no whole site's: keys that are put together are not looked for. */
export function checkComputedKey(): void {}

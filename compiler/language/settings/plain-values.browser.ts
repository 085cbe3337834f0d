/** In a browser, these values are not checked at compile time. */
export function checkDefault(): void {}

export function checkPayload(): void {}

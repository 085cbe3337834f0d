/** In a browser forms of values are looked at by who takes them. */
export function checkDefault(): void {}

export function checkPayload(): void {}

/** In a browser the translations of the whole site are not available, so computed keys are not checked. */
export function checkComputedKey(): void {}

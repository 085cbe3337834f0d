export function htmlProblem(_text: string): string | null { return null }

/** Thrown with a sentence that explains to the agent why a tool has no result. */
export class ToolError extends Error {}

/** Why a tool has no answer, in a sentence for the agent. */
export class Refused extends Error {}

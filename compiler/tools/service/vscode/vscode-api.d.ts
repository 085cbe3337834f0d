/** The parts of the `vscode` module that the extension uses. The module exists only inside the editor. */
declare module 'vscode' {
  export interface Disposable {
    dispose(): void
  }
  export interface ExtensionContext {
    readonly subscriptions: Disposable[]
    asAbsolutePath(path: string): string
  }
  export class Uri {
    static parse(text: string): Uri
  }
  export class Position {
    constructor(line: number, character: number)
  }
  export class Range {
    constructor(start: Position, end: Position)
  }
  export class Location {
    constructor(uri: Uri, range: Range)
  }
  export const commands: {
    registerCommand(name: string, run: (...args: never[]) => unknown): Disposable
    executeCommand(name: string, ...args: readonly unknown[]): Promise<unknown>
  }
  export const workspace: {
    getConfiguration(section: string): { get(name: string): unknown }
    onDidChangeConfiguration(run: (change: { affectsConfiguration(section: string): boolean }) => void): Disposable
  }
}

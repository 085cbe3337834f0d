/**
 * The parts of React that the page uses, because React has no types of its own. GraphiQL's components and their props are checked
 * against them.
 */
declare module 'react' {
  export type ReactNode = ReactElement | string | number | boolean | null | undefined | readonly ReactNode[]
  export interface ReactElement {
    readonly type: unknown
    readonly props: unknown
  }
  export type FC<Properties = object> = (properties: Properties) => ReactNode
  export type ComponentPropsWithoutRef<Component> = Component extends (properties: infer Properties) => unknown
    ? Properties
    : object
  export function createElement<Properties>(component: FC<Properties>, properties: Properties): ReactElement
}

declare module 'react-dom/client' {
  import type { ReactNode } from 'react'

  export function createRoot(container: Element): { render(children: ReactNode): void }
}

declare module 'graphiql/style.css'

/** Where Monaco asks for its editor workers. */
declare var MonacoEnvironment: { getWorker(id: string, label: string): Worker } | undefined

/** `installed_modules`: lists and removes modules of the served site. */
import { installedModules } from '../../../web/site/modules.ts'
import { formatErrorLines } from '../deploys/lines.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { awaitDeploy } from '../wait.ts'

export const installedModuleNames: Resource = {
  method: 'GET',
  path: 'app_builder/installed_modules',
  scopes: ['deploy', 'exec', 'read', 'write'],
  async answer({ app }) {
    return json(200, { data: installedModules(app().host().loadedSite).map((module) => module.scope_name) })
  },
}

/** Removes a module by name. An unknown name is an error, for example when the client means another site. */
export const removeModule: Resource = {
  method: 'DELETE',
  path: 'app_builder/installed_modules',
  scopes: ['deploy'],
  isSilent: true,
  async answer(parts, { body }) {
    const name = body.field('pos_module_name') ?? ''
    if (name === '') throw new Refusal(422, 'the form has no `pos_module_name`')
    const { result, status } = await awaitDeploy(parts, { kind: 'removal', module: name })
    if (status === 'error') throw new Refusal(422, formatErrorLines(result))
    return json(200, { status: 'ok' })
  },
}

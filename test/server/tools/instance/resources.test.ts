/** Tests the mapping from requests to resources of the instance's API. */
import { expect, test } from 'vitest'
import { findResource, isInstancePath } from '../../../../server/tools/instance/resources.ts'
import { permits, SCOPES } from '../../../../server/data/store/tokens.ts'

test('the paths of the API are known whatever stands there', () => {
  for (const path of ['/api/app_builder/instance', '/api/app_builder/none', '/api/private/urls/presign-url'])
    expect(isInstancePath(path)).toBe(true)
  for (const path of ['/api/graph', '/api/app_builder', '/app_builder/instance', '/api/private/', '/'])
    expect(isInstancePath(path)).toBe(false)
})

test('a method and a path name a resource, another method the ones that there are', () => {
  expect(findResource('GET', '/api/app_builder/instance')).toMatchObject({ path: {} })
  expect(findResource('GET', '/api/app_builder/instance/')).toMatchObject({ path: {} })
  expect(findResource('POST', '/api/app_builder/instance')).toEqual(['GET'])
  expect(findResource('GET', '/api/app_builder/instances')).toEqual([])
  expect(findResource('GET', '/api/app_builder/instance/5')).toEqual([])
})

test('a token that may deploy reads no data, and one that reads data deploys nothing', () => {
  const allowed = (scope: (typeof SCOPES)[number]) => SCOPES.filter((needed) => permits(scope, needed))
  expect(SCOPES.map((scope) => [scope, allowed(scope)])).toEqual([
    ['read', ['read']],
    ['write', ['read', 'write']],
    ['deploy', ['deploy']],
    ['exec', ['exec']],
    ['admin', ['read', 'write', 'deploy', 'exec', 'admin']],
  ])
})

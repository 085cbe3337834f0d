/**
 * The playground of the reference: a page that compiles and renders a template in the browser while it is edited. Its content is
 * `playground.html`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the bundled engine for the page. The bundle is next to this file in the product, and in dist/ if this file runs from
 * sources.
 */
export function playgroundEngine(): string {
  const places = ['./browser/ingot.mjs', '../../../dist/browser/ingot.mjs']
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const path = paths.find((each) => existsSync(each))
  if (path === undefined) throw new Error('the engine of the playground has not been built')
  return classicScript(readFileSync(path, 'utf8'))
}

/**
 * Converts a bundle to a classic script that sets `Ingot`, because a page opened as a file cannot load modules.
 * @throws Error for a bundle that does not end with its only list of exports
 */
function classicScript(module: string): string {
  const [, code, exported] = /^([\s\S]*)\bexport\{([^{}]*)\};?\s*$/.exec(module) ?? []
  if (code === undefined || exported === undefined)
    throw new Error('the engine of the playground exports in another way')
  const properties = exported.split(',').map((each) => {
    const [local = '', name = local] = each.trim().split(' as ')
    return `${name}:${local}`
  })
  return `"use strict";var Ingot=(()=>{${code}return{${properties.join(',')}}})();\n`
}

/** Shows changed assets in the open page: stylesheets, images and other media. */
import { isStylesheet, replaceStylesheet } from './stylesheets.mjs'

/**
 * A changed asset. `path` is decoded; `stamp` is null when it was removed.
 * @typedef {{ readonly path: string, readonly stamp: string | null }} ChangedAsset
 */

/** Attributes that may hold addresses of media. */
const ADDRESSES = ['src', 'srcset', 'poster', 'href', 'xlink:href', 'data', 'style', 'imagesrcset']
const MEDIA = 'img, source, video, audio, input, image, use, object, embed, link, [style]'
const SCRIPT = /\.m?js$/i

/** Distinguishes the addresses of a stylesheet that is loaded again because of what it contains. */
let round = 0

/** The stamps of pictures and fonts that have changed since the page was loaded, by path. @type {Map<string, string>} */
const stamps = new Map()

/**
 * Shows the changed assets. Returns false when the page must be loaded again, because its scripts use one of them.
 * @param {readonly ChangedAsset[]} assets
 * @returns {boolean}
 */
export function showAssets(assets) {
  for (const asset of assets) {
    if (SCRIPT.test(asset.path)) {
      if (isLoaded(asset.path)) return false
      continue
    }
    const isShown = showAsset(asset)
    if (!isShown && isLoadedByScript(asset.path)) return false
  }
  return true
}

/** Returns whether an element or a stylesheet uses the asset. @param {ChangedAsset} asset */
function showAsset({ path, stamp }) {
  let isShown = false
  for (const element of document.querySelectorAll(MEDIA)) {
    if (isStylesheet(element)) continue
    for (const name of ADDRESSES) {
      const value = element.getAttribute(name)
      if (value === null || !value.includes('/')) continue
      const changed = withStamp(value, path, stamp)
      if (changed === null) continue
      isShown = true
      if (changed === value) continue
      element.setAttribute(name, changed)
      // A sound or a film does not follow its sources.
      if (name === 'src' && element.parentElement instanceof HTMLMediaElement) element.parentElement.load()
    }
  }
  if (/\.css$/i.test(path)) return showStylesheet(path, stamp) || isShown
  if (stamp !== null) stamps.set(path, stamp)
  return stampRules() || isShown
}

/** Loads the stylesheets again that are the asset, or import it. @param {string} path @param {string | null} stamp */
function showStylesheet(path, stamp) {
  let isShown = false
  for (const sheet of [...document.styleSheets]) {
    const isOwn = sheet.href !== null && pathOf(sheet.href) === path
    if (!isOwn && !imports(sheet, path)) continue
    isShown = true
    const owner = sheet.ownerNode
    if (owner instanceof HTMLLinkElement) {
      const href = owner.getAttribute('href') ?? ''
      const next = (isOwn ? withStamp(href, path, stamp) : null) ?? again(href)
      void replaceStylesheet(owner, next).then(stampRules)
    } else if (owner instanceof HTMLStyleElement) {
      // The rules are read again.
      owner.textContent = `${owner.textContent} `
    }
  }
  return isShown
}

/**
 * Gives the changed pictures and fonts in all stylesheets their new addresses. A browser does not request a picture twice for one page, whatever
 * the stylesheets say. Returns whether a rule has changed.
 * @returns {boolean}
 */
export function stampRules() {
  let isChanged = false
  if (stamps.size === 0) return false
  for (const [rule, base] of [...document.styleSheets].flatMap((sheet) => styleRules(sheet, sheet.href))) {
    for (const name of rule.style) {
      const value = rule.style.getPropertyValue(name)
      if (!value.includes('url(')) continue
      for (const [path, stamp] of stamps) {
        const changed = withStamp(value, path, stamp, base)
        if (changed === null || changed === value) continue
        isChanged = true
        rule.style.setProperty(name, changed, rule.style.getPropertyPriority(name))
      }
    }
  }
  return isChanged
}

/**
 * Returns the rules with declarations, each with the address that its addresses are relative to.
 * @param {CSSStyleSheet | CSSGroupingRule | CSSKeyframesRule} group
 * @param {string | null} href
 * @returns {readonly (readonly [CSSStyleRule | CSSFontFaceRule | CSSKeyframeRule, string])[]}
 */
function styleRules(group, href) {
  const base = href ?? document.baseURI
  return rulesOf(group).flatMap((rule) => {
    if (rule instanceof CSSImportRule)
      return rule.styleSheet === null ? [] : styleRules(rule.styleSheet, rule.styleSheet.href)
    const inside = rule instanceof CSSGroupingRule || rule instanceof CSSKeyframesRule ? styleRules(rule, base) : []
    const isStyle = rule instanceof CSSStyleRule || rule instanceof CSSFontFaceRule || rule instanceof CSSKeyframeRule
    return isStyle ? [[rule, base], ...inside] : inside
  })
}

/** @param {string} href */
function again(href) {
  const bare = href.replace(/([?&])ingot=\d+&?/, '$1').replace(/[?&]$/, '')
  return `${bare}${bare.includes('?') ? '&' : '?'}ingot=${++round}`
}

/**
 * Returns the text with the stamp in each address of the asset; null when the text has no such address.
 * @param {string} text an address, several with descriptions, or a style
 * @param {string} path
 * @param {string | null} stamp
 * @param {string} [base] the address that they are relative to
 */
function withStamp(text, path, stamp, base = document.baseURI) {
  let isFound = false
  const changed = text.replace(/[^\s"'(),]+/g, (address) => {
    if (pathOf(address, base) !== path) return address
    isFound = true
    if (stamp === null) return address
    const full = base === document.baseURI ? address : new URL(address, base).href
    const [, bare = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(full) ?? []
    if (query === '') return `${bare}?updated=${stamp}${hash}`
    const isStamped = /[?&]updated=/.test(query)
    const next = isStamped ? query.replace(/([?&])updated=[^&]*/, `$1updated=${stamp}`) : `${query}&updated=${stamp}`
    return bare + next + hash
  })
  return isFound ? changed : null
}

/**
 * Returns whether a stylesheet, or one that it imports, imports the asset.
 * @param {CSSStyleSheet} sheet
 * @param {string} path
 * @returns {boolean}
 */
function imports(sheet, path) {
  return rulesOf(sheet).some((rule) => {
    if (!(rule instanceof CSSImportRule)) return false
    if (pathOf(rule.href, sheet.href ?? document.baseURI) === path) return true
    return rule.styleSheet !== null && imports(rule.styleSheet, path)
  })
}

/**
 * Returns the rules of a stylesheet; those of another origin cannot be read.
 * @param {{ readonly cssRules: CSSRuleList }} sheet
 * @returns {readonly CSSRule[]}
 */
function rulesOf(sheet) {
  try {
    return [...sheet.cssRules]
  } catch {
    return []
  }
}

/** @param {string} path */
function isLoaded(path) {
  return [...document.scripts].some(({ src }) => src !== '' && pathOf(src) === path) || resources(path).length > 0
}

/** @param {string} path */
function isLoadedByScript(path) {
  return resources(path).some(({ initiatorType }) =>
    ['fetch', 'xmlhttprequest', 'script', 'other'].includes(initiatorType),
  )
}

/** @param {string} path @returns {readonly PerformanceResourceTiming[]} */
function resources(path) {
  return performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming && pathOf(entry.name) === path)
    .map((entry) => /** @type {PerformanceResourceTiming} it was filtered by this class */ (entry))
}

/** Returns the decoded path of an address; `''` for text that is not an address. @param {string} address */
function pathOf(address, base = document.baseURI) {
  try {
    return decodeURIComponent(new URL(address, base).pathname)
  } catch {
    return ''
  }
}

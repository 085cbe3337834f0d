/** In a browser, a site is not kept for long, so collections are used unchanged. */

function returnUnchanged<Value>(value: Value): Value {
  return value
}

export {
  returnUnchanged as shareList,
  returnUnchanged as shareMap,
  returnUnchanged as shareSet,
  returnUnchanged as shareText,
  returnUnchanged as shareWords,
}

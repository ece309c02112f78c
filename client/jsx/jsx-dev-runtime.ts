/** jsx-runtime.ts in development, where React is told the place in the source. */
import * as react from 'react/jsx-dev-runtime'
import { type Props, shownProps } from './shownProps'

export type { JSX } from 'react/jsx-dev-runtime'
export const { Fragment } = react

export const jsxDEV: typeof react.jsxDEV = (type, props, key, isStatic, source, self) => {
  const shown = shownProps(type, props as Props)
  return react.jsxDEV(type, shown, key, isStatic && Array.isArray(shown.children), source, self)
}

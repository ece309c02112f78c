/** The JSX runtime of the pages (`jsxImportSource` in tsconfig.json): React's, with texts as they may be shown. */
import * as react from 'react/jsx-runtime'
import { type Props, shownProps } from './shownProps'

export type { JSX } from 'react/jsx-runtime'
export const { Fragment } = react

type Create = typeof react.jsx

export const jsx: Create = (type, props, key) => react.jsx(type, shownProps(type, props as Props), key)

export const jsxs: Create = (type, props, key) => {
  const shown = shownProps(type, props as Props)
  return (Array.isArray(shown.children) ? react.jsxs : react.jsx)(type, shown, key)
}

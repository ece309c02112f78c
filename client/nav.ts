/** Addresses and screens: where the reader is, going elsewhere without a request, links, window titles. */
export { Link, type LinkProps } from './nav/Link'
export { type Match, matchPath, type Params, pathTo, type ScreenName } from './nav/patterns'
export {
  getPlace,
  HeldPlace,
  joinHistory,
  type NavPlace,
  navigate,
  setSearch,
  useHeldPlace,
  useLocation,
  useSearchParam,
  withSearch,
} from './nav/place'
export { setTitle, setTitleMark, useTitle } from './nav/title'

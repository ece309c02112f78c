export { Link, type LinkProps } from './nav/Link'
export { type Match, matchPath, type Params, pathTo, type ScreenName, type TaskScreen } from './nav/patterns'
export {
  getPlace,
  joinHistory,
  type NavPlace,
  navigate,
  PlaceProvider,
  setSearch,
  useLocation,
  useScreenPlace,
  useSearchParam,
  withSearch,
} from './nav/place'
export { setTitle, setTitleMark, useTitle } from './nav/title'

export { matchPath, type Params, pathTo, type ScreenName } from '@/lib/wire/addresses'
export { MomentContext, useHrefHere } from './nav/atMoment'
export { Link, type LinkProps } from './nav/Link'
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
export { setTitleMark, useTitle } from './nav/title'

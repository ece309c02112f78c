/** Front door of the converter: nothing else knows the forms that older files have. */
export { convertOlder } from './convert'

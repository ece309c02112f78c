/**
 * The script that asks who looks, while the files of the console are still on their way.
 *
 * Owns: one static text; its hash is in the page's Content-Security-Policy, so nothing may be put into it at run time.
 * Not here: the calls (api.ts), which takes the answer as its own.
 * Used by: app/[[...path]]/page.tsx.
 */

/** What is asked for, by the same words as api.ts asks. */
export const EARLY_PATH = '/api/me'

declare global {
  interface Window {
    /** null: no answer came. */
    conveneEarly?: Promise<Response | null> | undefined
  }
}

export const earlyScript = `conveneEarly=fetch('${EARLY_PATH}',{credentials:'same-origin',cache:'no-store'}).catch(function(){return null})`

/** Inline script: sets theme, density, text size and language on <html> before the first paint. */

/** Local storage key of the display settings. */
export const DISPLAY_KEY = 'convene_display'

export const themeScript = `(function(){var h=document.documentElement,d={};try{d=JSON.parse(localStorage.getItem('${DISPLAY_KEY}')||'{}')||{}}catch(e){}
var t=d.theme;h.dataset.theme=t==='dark'||t==='light'?t:matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
if(d.density==='compact')h.dataset.density='compact';
if([90,110,120,130].indexOf(d.scale)>=0)h.dataset.scale=d.scale;
if(d.motion==='reduced')h.dataset.motion='reduced';
var l=/(?:^|; )convene_language=(en-XA|en|zh)(?:;|$)/.exec(document.cookie);h.lang=l?l[1]:(navigator.languages.map(function(s){return s.toLowerCase().split('-')[0]}).filter(function(s){return s==='zh'||s==='en'})[0]||'en')})()`

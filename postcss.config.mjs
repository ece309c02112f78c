// Tailwind 4 is configured in CSS (app/globals.css); this file only names the plugin.
export default { plugins: { '@tailwindcss/postcss': {} } }

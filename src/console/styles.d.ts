/** Type declaration of style sheet imports. The bundler collects the style sheets. */
declare module '*.css'

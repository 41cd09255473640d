// The frame of a page: navigation, content, table of contents, and a search that works without a server.
import { escapeHtml } from './markdown.mjs'

/** `root` leads from the page to the folder of the site; `navigation` is a list of { title, pages: [{ title, path }] }. */
export function pageHtml({ title, html, headings, path, root, navigation }) {
  const entries = navigation
    .map(
      (group) =>
        `<h2>${escapeHtml(group.title)}</h2><ul>${group.pages
          .map((page) => {
            const current = page.path === path ? ' aria-current="page"' : ''
            return `<li><a href="${root}${page.path}"${current}>${escapeHtml(page.title)}</a></li>`
          })
          .join('')}</ul>`,
    )
    .join('')
  const contents = headings
    .filter(({ level }) => level === 2 || level === 3)
    .map(({ level, text, id }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`)
    .join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'unsafe-inline' data: file:">
<title>${escapeHtml(title)} · Sandpiper</title>
<link rel="stylesheet" href="${root}site.css">
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${root}index.html">Sandpiper</a>
<label>Search <input id="search" type="search" autocomplete="off" aria-controls="results"></label>
<div id="results" role="region" aria-live="polite" hidden></div>
</header>
<nav aria-label="Pages">${entries}</nav>
<main id="content">${html}</main>
<aside aria-label="On this page"><ul>${contents}</ul></aside>
<script src="${root}search-index.js" defer></script>
<script src="${root}search.js" defer></script>
</body>
</html>
`
}

export const CSS = `:root{color-scheme:light dark;--text:#1c2429;--soft:#5b6770;--line:#d9e0e4;--back:#fff;--panel:#f5f7f8;--accent:#0b6e99}
@media(prefers-color-scheme:dark){:root{--text:#e3e8eb;--soft:#9aa7af;--line:#33404a;--back:#12181c;--panel:#1a2228;--accent:#5ab8de}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:16rem minmax(0,1fr) 14rem;grid-template-rows:auto 1fr}
header{grid-column:1/-1;display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.6rem 1.2rem;border-bottom:1px solid var(--line);position:sticky;top:0;background:var(--back);z-index:1}
.brand{font-weight:700;color:var(--text);text-decoration:none;font-size:1.1rem}
a{color:var(--accent)}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--back);z-index:2}
input{font:inherit;padding:.25rem .6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--panel);color:var(--text);width:16rem;max-width:50vw}
#results{position:absolute;right:1.2rem;top:3.2rem;width:min(36rem,92vw);max-height:70vh;overflow:auto;background:var(--back);border:1px solid var(--line);border-radius:.5rem;padding:.5rem;box-shadow:0 8px 30px #0003}
#results a{display:block;padding:.4rem .6rem;text-decoration:none;color:var(--text);border-radius:.3rem}
#results a:hover,#results a:focus{background:var(--panel)}
#results small{display:block;color:var(--soft)}
nav,aside{padding:1rem 1.2rem;font-size:.92rem;align-self:start;position:sticky;top:3.4rem;max-height:calc(100vh - 3.4rem);overflow:auto}
nav h2{font-size:.78rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft);margin:1rem 0 .3rem}
nav ul,aside ul{list-style:none;margin:0;padding:0}
nav a,aside a{text-decoration:none;color:var(--text);display:block;padding:.12rem 0}
nav a[aria-current]{color:var(--accent);font-weight:600}
aside .level-3{padding-left:.8rem}
main{padding:1rem 2rem 4rem;max-width:60rem;min-width:0}
h1,h2,h3{line-height:1.25;scroll-margin-top:4rem}
pre{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;overflow:auto;font-size:.86rem;line-height:1.5}
code{font-family:ui-monospace,monospace;font-size:.9em}
:not(pre)>code{background:var(--panel);padding:.1em .3em;border-radius:.25em}
.table{overflow:auto}table{border-collapse:collapse;font-size:.92rem}
td,th{border-bottom:1px solid var(--line);padding:.35rem .7rem;text-align:left;vertical-align:top}.right{text-align:right}
td{min-width:4.5rem}td code{overflow-wrap:anywhere}
img{max-width:100%;border:1px solid var(--line);border-radius:.4rem}
@media(max-width:70rem){body{grid-template-columns:14rem minmax(0,1fr)}aside{display:none}}
@media(max-width:46rem){body{display:block}nav{position:static;max-height:none;border-bottom:1px solid var(--line)}main{padding:1rem}}
`

/** Finds sections that have all words of the question, best first: words in titles count more. */
export const SEARCH = `const box=document.getElementById('search'),results=document.getElementById('results'),root=document.body.dataset.root
const words=(text)=>text.toLowerCase().split(/[^\\p{L}\\p{N}_.-]+/u).filter(Boolean)
function find(question){
  const asked=words(question)
  if(asked.length===0)return[]
  return SECTIONS.map((section)=>{
    const title=(section.page+' '+section.heading).toLowerCase(),text=section.text.toLowerCase()
    let score=0
    for(const word of asked){
      const inTitle=title.includes(word),inText=text.includes(word)
      if(!inTitle&&!inText)return{section,score:0}
      score+=(inTitle?5:0)+(inText?1:0)
    }
    return{section,score}
  }).filter(({score})=>score>0).sort((a,b)=>b.score-a.score).slice(0,20).map(({section})=>section)
}
function show(){
  results.textContent=''
  const found=find(box.value)
  results.hidden=box.value.trim()===''
  for(const section of found){
    const link=document.createElement('a')
    link.href=root+section.path+(section.id?'#'+section.id:'')
    link.textContent=section.heading||section.page
    const small=document.createElement('small')
    small.textContent=section.page+' — '+section.text.slice(0,120)
    link.append(small)
    results.append(link)
  }
  if(found.length===0&&!results.hidden)results.textContent='Nothing was found.'
}
box.addEventListener('input',show)
document.addEventListener('keydown',(event)=>{
  if(event.key==='/'&&document.activeElement!==box){event.preventDefault();box.focus()}
  if(event.key==='Escape'){box.value='';show()}
})
`

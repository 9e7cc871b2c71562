"use strict"
Object.defineProperty(exports,Symbol.toStringTag,{value:"Module"})
const e=require("node:util")
const t=require("vary")
const n=require("node:http")
const r=require("parseurl")
const o=require("node:perf_hooks")
const i=require("debug")
const s=require("node:events")
const a=require("node:net")
const c=require("on-headers")
const u=require("etag")
const d=require("./outcome-store.js")
const f=require("node:timers/promises")
const l=require("node:crypto")
const h=require("node:zlib")
const p=require("raw-body")
const m=require("content-type")
const g=require("lru-cache")
const w=e=>e&&e.__esModule?e:{default:e}
const y=w(t)
const v=w(r)
const b=w(i)
const E=w(c)
const k=w(u)
const O=w(p)
function x(e){return"object"==typeof e&&null!==e}class ConfigurationError extends Error{subject
mistakes
name="ConfigurationError"
code="PATCH_OPTIONS_CONFIGURATION"
constructor(e,t){super([`${e} cannot work with these options:`,...t.map(({option:e,value:t,reason:n,fix:r})=>`  ${e}: ${S(t)} ${n}. ${r}`)].join("\n"))
this.subject=e
this.mistakes=t}}class OptionsCheck{subject
#e=[]
constructor(e){this.subject=e}mistake(e,t,n,r){this.#e.push({option:e,value:t,reason:n,fix:r})}names(e,t,n=""){if(!x(e)){const r=`Give an object with any of ${t.join(", ")}.`
this.mistake(T(n),e,"is no object",r)
if(""===n)this.done()
return}for(const[r,o]of Object.entries(e)){if(t.includes(r))continue
const e=A(r,t)
const i=void 0===e?`The options are ${t.join(", ")}.`:`Did you mean '${e}'?`
this.mistake(n+r,o,"belongs to no option of that name",i)}}part(e,t){try{const e=t()
return()=>e}catch(t){if(!(t instanceof ConfigurationError))throw t
const n=new Set(this.#e.map(({option:e})=>e))
const r=t.mistakes.map(t=>({...t,option:t.option===T("")?T(e):e+t.option}))
this.#e.push(...r.filter(({option:e})=>!n.has(e)))
return()=>{throw t}}}done(){if(this.#e.length>0)throw new ConfigurationError(this.subject,this.#e)}}function T(e){return""===e?"options":e.slice(0,-1)}function S(t){return e.inspect(t,{depth:1,breakLength:1/0,maxArrayLength:5,maxStringLength:100})}function A(e,t){const n=t.map(t=>({candidate:t,edits:N(e.toLowerCase(),t.toLowerCase())})).sort((e,t)=>e.edits-t.edits)
const[r]=n
return void 0!==r&&r.edits<=Math.max(1,e.length/2)?r.candidate:void 0}function N(e,t){let n=Array.from({length:t.length+1},(e,t)=>t)
for(let r=1;r<=e.length;r++){const o=[r]
for(let i=1;i<=t.length;i++){const s=(n[i-1]??0)+(e[r-1]===t[i-1]?0:1)
o.push(Math.min((n[i]??0)+1,(o[i-1]??0)+1,s))}n=o}return n[t.length]??0}function $(e,t,n,r){if(0===e.getHeaderNames().length){e.writeHead(t,n).end(r)
return}e.statusCode=t
for(let t=0;t<n.length;t+=2){const[r="",o=""]=[n[t],n[t+1]]
if("Vary"===r&&e.hasHeader(r))y.default(e,o)
else e.setHeader(r,o)}e.end(r)}function R(e){const t=C(e)
return void 0===t?{url:e,path:I(e),origin:M(e),restores:!1}:{url:e,path:t,origin:"",restores:!0}}function C(e){if(!e.startsWith("/"))return
let t=e.length
for(let n=1;n<e.length;n++){const r=e.charCodeAt(n)
if(r<33||r>126||r===P)return
if(r===L&&t===e.length)t=n}return t===e.length?e:e.slice(0,t)}const P=35
const L=63
function I(e){try{return v.default({url:e})?.pathname??void 0}catch{return}}function M(e){if(""===e||e.startsWith("/"))return""
const t=(e.split("?",1)[0]??"").indexOf("://")
return-1===t?"":e.substring(0,e.indexOf("/",3+t))}function j(e,t,n){const{url:r,path:o="",origin:i}=e
if(""===t)return{url:r,removed:"",slashAdded:!1}
if(!o.startsWith(t))return
const s=o[t.length]
if(void 0!==s&&"/"!==s&&("."!==s||!n.endsBeforeDot))return
const a=i+r.slice(i.length+t.length)
const c=""===i&&!a.startsWith("/")
return{url:c?`/${a}`:a,removed:t,slashAdded:c}}function H(e,t,n,r){const{removed:o,slashAdded:i}=t
let s=n
if(i&&(!r.keepsRewritten||!W(s,o)))s=s.slice(1)
return""===o?s:e.origin+o+s.slice(e.origin.length)}function W(e,t){return!("/"===e||e.startsWith("/?")||t.endsWith("/")&&e.startsWith("/"))}const q=new Map
function G(e){if("string"!=typeof e||!/^(?:\/|(?:\/(?:[\w~.-]+|:[A-Za-z_]\w*))+)$/.test(e))return
let t=q.get(e)
if(void 0===t){t=("/"===e?[]:e.slice(1).split("/")).map(e=>e.startsWith(":")?void 0:e)
q.set(e,t)}return t}function D(e){if("/"===e)return!0
return e.startsWith("/")&&!e.endsWith("/")&&!e.includes("//")&&!e.includes("%")}const U=Symbol("differs by case")
function F(e,t,n){if(0===e.length)return"/"===t?t:void 0
let r=0
for(const n of e){const e=r+1
const o=t.indexOf("/",e)
r=-1===o?t.length:o
if(r<=e)return
if(void 0===n||n.length===r-e&&t.startsWith(n,e))continue
return t.slice(e,r).toLowerCase()===n.toLowerCase()?U:void 0}return n&&r<t.length?void 0:t.slice(0,r)}class MalformedTarget{error
constructor(e){this.error=e}}function B(e){return"function"==typeof e&&Array.isArray(Reflect.get(e,"stack"))}function _(e){return e.handle.length<=3}function z(e,t,n=Y(e)){if(0===n.length)return J(e,t)
const r=n.map(e=>e.lastIndex)
try{return J(e,t)}finally{n.forEach((e,t)=>e.lastIndex=r[t]??0)}}function J(e,t){const{path:n,params:r,keys:o}=e
try{const n=e.match(t)
if(!0===n)return String(e.path)
return K(n)?n.path:void 0}catch(e){return new MalformedTarget(e)}finally{if("path"in e){e.path=n
e.params=r
e.keys=o}}}function K(e){return"object"==typeof e&&null!==e&&"path"in e}function Y(e){return[e.regexp,...X(e)].filter(V)}function V(e){return e instanceof RegExp&&(e.global||e.sticky)}function X(e){const t=void 0===e.route?e.rawPath:e.route.path
if(Array.isArray(t))return t.flat(1/0)
return void 0===t?[]:[t]}function Z(e){return void 0===e.route&&(!0===e.slash||!0===e.regexp?.fast_slash)}function Q(e){return e.regexp}function ee({stack:e,_params:t}){return{endsBeforeDot:Array.isArray(t),keepsRewritten:e.some(e=>"rawPath"in e)}}function te(e){const t=X(e)
const n=void 0===Q(e)?oe:ie
const r=0===t.length?[ne(se(e),e=>e)]:t.map(e=>ne(e,n))
return r.every(e=>void 0!==e)?r:void 0}function ne(e,t){if("string"!=typeof e)return
const n=t(e).replace(/\/+$/,"")
return/^\/[\x21-\x7e]+$/.test(n)?n.toLowerCase():void 0}function re(e){return e.slice(0,e.lastIndexOf("/")+1)}function oe(e){const t=e.search(/[:*{\\]/)
if(-1===t)return e
const n=e.slice(0,t)
return/^(?:\{\/[^{}\\"]*\})+(?:\/|$)/.test(e.slice(t))?n:re(n)}function ie(e){if(e.includes("|"))return""
const t=e.search(/[\\:*()?+[\]{}^$]/)
if(-1===t)return e.endsWith("/")?re(e.replace(/\/+$/,"")):e
const n=e.slice(0,t)
if("?+{".includes(e.charAt(t)))return re(n.slice(0,-1))
return re(n.endsWith("/.")||/^:\w+(?:\(.*?\))?\*?[?{](?!\/|$)/.test(e.slice(t))?n.replace(/\/\.?$/,""):n)}function se(e){const t=Q(e)
if(void 0===t||!["","i"].includes(t.flags))return
const n=/^\^((?:\\[/.]|[\w~%@!&=,;'-])+)\\\/\?\(\?=\\\/\|\$\)$/.exec(t.source)?.[1]
return n?.replaceAll("\\","")}function ae(e,t,n){const r=[t.label,n.join(", ")].join(" ").trimEnd()
Object.defineProperty(e,"name",{value:r,configurable:!0})
Object.defineProperty(e,t.key,{value:n,enumerable:!0,configurable:!0})
return e}function ce(e,t){if("function"!=typeof e)return
const n=Reflect.get(e,t.key)
if(Array.isArray(n))return n.filter(e=>"string"==typeof e)
if(e.name===t.label)return[]
if(!e.name.startsWith(`${t.label} `))return
return e.name.slice(t.label.length+1).match(ue)??[]}const ue=/[^\s,"](?:[^,"]|"(?:[^"\\]|\\.)*")*/g
const de={label:"patchHandler accepts",key:"patch-options:acceptPatch"}
function fe(e,t){return ae(e,de,t)}function le(e){return ce(e,de)??[]}function he(e){return"function"==typeof e&&"handle"in e&&"set"in e&&!B(e)}function pe(e){return B(e)||he(e)}function me(e){if(B(e))return e
if(!he(e))return
const t=Reflect.get(e,"lazyrouter"in e?"_router":"router")
return B(t)?t:void 0}function ge(e){let t=Reflect.get(e,"app")
const n=new Set
for(;he(t)&&he(t.parent)&&!n.has(t);){n.add(t)
t=t.parent}return he(t)?t:void 0}function we(e,t){const n=x(e.socket)&&Reflect.get(e.socket,"server")
if(!(n instanceof s.EventEmitter)||"function"!=typeof t)return
return n.listenerCount("request",t)>0?void 0:n.listeners("request").find(he)}function ye(e){for(const t of be(e.handle)){const e=me(t)
if(void 0!==e)return e}return me(Oe(e))}function ve(e){return[...be(e.handle)].some(he)||void 0!==xe(e)}function*be(e){const t=new Set
for(let n=e;Ee(n)&&!t.has(n);n=Reflect.get(n,"__original")){t.add(n)
yield n}}function Ee(e){return"function"==typeof e}const ke=new WeakMap
function Oe(e){const t=ke.get(e.handle)
if(void 0!==t)return t
const n=xe(e)
const r=n&&Ne(n)
if(void 0!==r)ke.set(e.handle,r)
return r}function xe(e){for(const t of be(e.handle))if(Ae(t))return t
return"mounted_app"===e.name?e.handle:void 0}const Te=/^(?:function ?[\w$]*)?\(([\w$]+), ?([\w$]+), ?([\w$]+)\)(?: ?=>)? ?\{\s*(?:var|let|const) ([\w$]+) ?= ?\1\.app\b[^]*\.handle\(\1, ?\2\b[^]*\1, ?\4\.request\b[^]*\2, ?\4\.response\b/
const Se=new WeakMap
function Ae(e){const t=Se.get(e)
if(void 0!==t)return t
const n=Te.test(Function.prototype.toString.call(e).slice(0,500))
Se.set(e,n)
return n}function Ne(e){let t
let n=0
const r={request:Object.prototype,response:Object.prototype}
const o=new Proxy({app:r,method:"GET",originalUrl:"/",query:{}},{get:(e,r)=>"url"===r?void 0===t&&++n<=4?"/":void 0:e[r],setPrototypeOf(e,n){const r=null===n?void 0:Reflect.get(n,"app")
if(void 0!==t||!he(r))return!0
t=r
throw new Error("the probe has seen the app")}})
const i={setHeader:()=>i,locals:{}}
try{Reflect.apply(e,void 0,[o,i,()=>{}])}catch{}return t}const $e={label:"declareMethods",key:"patch-options:methods"}
const Re="patch-options:router"
function Ce(e){return ce(e,$e)}function Pe(e){for(const t of be(e))if(Re in t)return t[Re]
return}function Le(e,t){const r=new OptionsCheck("declareMethods()")
if("function"!=typeof t)r.mistake("middleware",t,"is no function","Give the middleware that answers.")
if(Array.isArray(e)){if(0===e.length)r.mistake("methods",e,"names no method","Name one at least: ['GET'].")
e.forEach((e,t)=>{if("string"==typeof e&&n.METHODS.includes(e))return
const o=String(e).toUpperCase()
const i=n.METHODS.includes(o)?`Write '${o}'.`:"Methods are upper-case names such as GET."
r.mistake(`methods[${t}]`,e,"is no method that Node parses",i)})}else if(!pe(e)){const t="Give an array such as ['GET'], or the Express app or router that the middleware calls."
r.mistake("methods",e,"is neither a list of methods nor a router",t)}r.done()}const Ie={label:"optionsPassThrough",key:"patch-options:optionsPassThrough"}
const Me=ae((e,t,n)=>{n()},Ie,[])
function je(e){return void 0!==ce(e,Ie)}const He=500
const We=new Map
function qe(e,t=[],n=!1){const r=[...new Set([...e,"OPTIONS"])].sort()
const o=JSON.stringify([r,t,n])
const i=We.get(o)
if(void 0!==i)return i
const s=Object.freeze({methods:Object.freeze(r),acceptPatch:Object.freeze([...t]),allVerbs:n})
We.set(o,s)
return s}const Ge=new WeakMap
function De(e,t){if(void 0===e||e===t)return t
const n=Ge.get(e)??new WeakMap
Ge.set(e,n)
const r=n.get(t)
if(void 0!==r)return r
const o=e.acceptPatch.length>0?e.acceptPatch:t.acceptPatch
const i=qe([...e.methods,...t.methods],o)
n.set(t,i)
return i}class RouteReading{route
methods
stack
#t
#n
#r=Math.trunc(o.performance.now())
constructor(e,t){this.route=t
this.methods=Ue(e,t)
this.stack=t.stack
this.#t=t.stack.map(({handle:e})=>e)
this.#n=this.#t.length}isCurrent(){if(this.stack.length!==this.#n)return!1
const e=Math.trunc(o.performance.now())
if(e-this.#r<=He)return!0
this.#r=e
const{stack:t}=this.route
return t===this.stack&&t.every(({handle:e},t)=>e===this.#t[t])}}function Ue(e,t){const r=new Set
let o=!1
let i=[]
for(const e of t.stack.filter(_)){const t=Ce(e.handle)
const n=e.method?.toUpperCase()
if(void 0===n)t?.forEach(e=>r.add(e))
if(void 0===n)o||=void 0===t
else if(!1!==t?.includes(n)&&!je(e.handle))r.add(n)
if("PATCH"===n&&0===i.length)i=le(e.handle)}const s=n.METHODS.every(e=>r.has(e))
if(s)r.clear()
if(r.has("GET")&&!0!==t.methods.head)r.add("HEAD")
return{...Je(r,i),allVerbs:0===r.size&&(o||s)&&!Be(e),listedByExpress:Fe(t)}}function Fe({methods:e}){return!0!==e._all&&!0!==e.options&&Object.keys(e).length>0}function Be(e){return["/~","/~/~.~/~/~-~/~/~/~"].every(t=>"string"==typeof z(e,t))}function _e(e){if(B(e.handle))return e.handle
if(!_(e))return
const t=Ce(e.handle)
if(void 0===t)return ye(e)??me(Pe(e.handle))
return Je(new Set(t),[])}function ze(e){return ve(e)||pe(Pe(e.handle))}function Je(e,t){const n=e.delete("OPTIONS")
return{methods:e.size>0?qe(e,t):void 0,answersOptions:n}}class IndexedLayer{layer
route
prefixes
#o
#i
#s
#a
constructor(e){this.layer=e
this.route=e.route
this.#o=Z(e)
const[t,...n]=X(e)
const r=0===n.length?G(t??se(e)):void 0
this.#i=0===r?.length&&void 0===this.route?void 0:r
this.#s=Y(e)
this.prefixes=te(e)}get isPlain(){return this.#o||void 0!==this.#i}get literals(){return(this.#i??(this.prefixes??[]).flatMap(e=>e.slice(1).split("/"))).filter(e=>void 0!==e).map(e=>e.toLowerCase())}match(e,t){if(this.#o)return""
if(t&&void 0!==this.#i){const t=F(this.#i,e,void 0!==this.route)
if(t!==U)return t}return z(this.layer,e,this.#s)}reading(){if(void 0===this.route)return
if(!0!==this.#a?.isCurrent())this.#a=new RouteReading(this.layer,this.route)
return this.#a}}const Ke=b.default("patch-options:routes")
const Ye=new WeakMap
class RouteIndex{router
layers=[]
rules
#c=new Map
#u=[]
#d=0
#r=o.performance.now()
constructor(e){this.router=e
this.rules=ee(e)
this.#f()}static of(e){const t=Ye.get(e.stack)
if(void 0!==t&&t.#l())return t
const n=new RouteIndex(e)
Ye.set(e.stack,n)
return n}candidates(e){let t=this.#u
if(0===this.#d)return t
const n=e.slice(0,this.#d+1).toLowerCase()
for(let e=n.indexOf("/",1);-1!==e;e=n.indexOf("/",e+1))t=Ve(t,this.#c.get(n.slice(0,e)))
return n.length<=this.#d?Ve(t,this.#c.get(n)):t}#l(){const{layers:e}=this
const{stack:t}=this.router
if(t.length<e.length||t[e.length-1]!==e.at(-1)?.layer)return!1
const n=o.performance.now()
if(n-this.#r>He){if(e.some(({layer:e},n)=>e!==t[n]))return!1
this.#r=n}if(t.length>e.length)this.#f()
return!0}#f(){const{stack:e}=this.router
Ke("%d layers to index, %d were",e.length,this.layers.length)
this.rules=ee(this.router)
for(const t of e.slice(this.layers.length)){const e=new IndexedLayer(t)
const{prefixes:n}=e
const r=this.layers.push(e)-1
if(void 0===n)this.#u.push(r)
for(const e of new Set(n)){this.#d=Math.max(this.#d,e.length)
const t=this.#c.get(e)
if(void 0===t)this.#c.set(e,[r])
else t.push(r)}}}}function Ve(e,t){if(void 0===t)return e
if(0===e.length)return t
const n=[]
for(let r=0,o=0;r<e.length||o<t.length;){const i=Math.min(e[r]??1/0,t[o]??1/0)
n.push(i)
if(e[r]===i)r++
if(t[o]===i)o++}return n}class WalkEvidence{repeatable=!0
#h=[]
#p=[]
#m=[]
#g=Math.trunc(o.performance.now())
addRouter(e){const{stack:t}=e
this.#h.push({router:e,stack:t,last:t.at(-1)})
this.addStack(t)}addStack(e){this.#p.push(e)
this.#m.push(e.length)}isCurrent(){for(let e=0;e<this.#p.length;e++)if(this.#p[e]?.length!==this.#m[e])return!1
for(const{router:e,stack:t,last:n}of this.#h)if(e.stack!==t||t[t.length-1]!==n)return!1
return o.performance.now()-this.#g<=He}get routers(){return this.#h.map(({router:e})=>e)}}function Xe(e,t){const n=new Walk
n.router(e,t,0)
return n}class Walk{methods
allVerbs=!1
optionsHandler="none"
answeredByExpress=!1
malformed
evidence=new WalkEvidence
router(e,t,n){const r=RouteIndex.of(e)
this.evidence.addRouter(e)
let o=R(t)
let i=!1
if(void 0===o.path||n>2e3)return t
let s=D(o.path)
let a=r.candidates(o.path)
for(let e=0;e<a.length;e++){const t=a[e]??0
const c=r.layers[t]
if(void 0===c)break
if(!c.isPlain)this.evidence.repeatable=!1
const u=c.match(o.path,s)
if(void 0===u)continue
if(u instanceof MalformedTarget){this.malformed=u
return o.url}const d=c.reading()
if(void 0!==d){this.evidence.addStack(d.stack)
this.count(d.methods)
this.allVerbs||=d.methods.allVerbs
i||=d.methods.listedByExpress
continue}const f=j(o,u,r.rules)
if(void 0===f)continue
const l=this.middleware(c.layer,f.url,n)
if(void 0!==this.malformed)return o.url
if(o.restores)continue
o=R(H(o,f,l,r.rules))
if(void 0===o.path)break
s=D(o.path)
a=r.candidates(o.path).filter(e=>e>t)
e=-1}if(i)this.answeredByExpress||="reachable"!==this.optionsHandler
return o.url}middleware(e,t,n){const r=_e(e)
if(void 0===r){if(ze(e))this.evidence.repeatable=!1
return t}if(B(r))return this.router(r,t,n+1)
this.count(r)
return t}count({methods:e,answersOptions:t}){if(void 0!==e)this.methods=De(this.methods,e)
if(t&&"reachable"!==this.optionsHandler)this.optionsHandler=this.answeredByExpress?"shadowed":"reachable"}}const Ze=new WeakMap
function Qe(e,t){let n=Ze.get(e.stack)
if(void 0===n)Ze.set(e.stack,n=new RememberedWalks)
return n.find(e,t)}class RememberedWalks{#w=new Set
#y=new WeakMap
#v=new PathClass
#b=0
find(e,t){const{path:n,restores:r}=R(t)
if(void 0===n||!r||!D(n))return Xe(e,t)
const o=this.#E(n)?.walk
if(!0===o?.evidence.isCurrent())return o
const i=Xe(e,t)
if(i.evidence.repeatable)this.#k(n,i)
return i}#E(e){let t=this.#v
for(let n=1,r=0;r<e.length&&void 0!==t;n=r+1){r=e.indexOf("/",n)
if(-1===r)r=e.length
const o=e.slice(n,r)
t=t.literals?.get(o)??(this.#O(o)?void 0:t.parameter)}return t}#O(e){return""===e||this.#w.has(e.toLowerCase())}#k(e,t){for(const e of t.evidence.routers)this.#x(RouteIndex.of(e))
if(this.#b>1e3+10*this.#w.size){this.#v=new PathClass
this.#b=0}let n=this.#v
for(const t of"/"===e?[""]:e.slice(1).split("/"))n=this.#O(t)?this.#T(n,t):this.#S(n)
n.walk=t}#T(e,t){e.literals??=new Map
let n=e.literals.get(t)
if(void 0===n)e.literals.set(t,n=this.#A())
return n}#S(e){return e.parameter??=this.#A()}#A(){this.#b++
return new PathClass}#x(e){const t=this.#y.get(e)??0
if(t===e.layers.length)return
for(const{literals:n}of e.layers.slice(t))for(const e of n)this.#w.add(e)
this.#y.set(e,e.layers.length)}}class PathClass{walk=void 0
parameter=void 0
literals=void 0}function et(e){const{optionsHandler:t,answeredByExpress:n,malformed:r}=Xe(e,"*")
const{methods:o,allVerbs:i}=tt(e,new Set)
return{methods:o&&qe(o.methods),allVerbs:i,optionsHandler:t,answeredByExpress:n,malformed:r}}function tt(e,t){const n={methods:void 0,allVerbs:!1}
if(t.has(e))return n
t.add(e)
for(const r of RouteIndex.of(e).layers){const e=r.reading()?.methods??_e(r.layer)
if(void 0===e)continue
const{methods:o,allVerbs:i}=B(e)?tt(e,t):{allVerbs:!1,...e}
if(void 0!==o)n.methods=De(n.methods,o)
n.allVerbs||=i}return n}const nt="patch-options:members"
function rt(e,t){return Object.defineProperty(e,nt,{value:t,enumerable:!0,configurable:!0})}function ot(e,t){if(e===t)return!0
const n=Reflect.get(e,nt)
return Array.isArray(n)&&n.includes(t)}const it=ct((e,t)=>{const n=new Set(at(e,e=>[...be(e.handle)].some(e=>ot(e,t))))
return n.has("untrimmed")&&!n.has("trimmed")})
const st=ct((e,t)=>!1===at(e,e=>ye(e)?.stack===t.stack).next().done)
function*at(e,t,n="untrimmed",r={trimmed:new Set,untrimmed:new Set}){if(r[n].has(e))return
r[n].add(e)
for(const o of e.stack){if(void 0!==o.route)continue
const e=Z(o)?n:"trimmed"
if(t(o))yield e
const i=ye(o)
if(void 0!==i)yield*at(i,t,e,r)}}function ct(e){const t=new WeakMap
return(n,r)=>{const o=t.get(n)??new WeakMap
t.set(n,o)
const{length:i}=n.stack
const s=o.get(r)
const a=performance.now()
if(s?.length===i&&a<s.until)return s.found
const c=e(n,r)
o.set(r,{length:i,found:c,until:a+He})
return c}}function ut(e,{root:t}){if(void 0===t||pe(t))return
e.mistake("root",t,"is neither an Express app nor a router","Give the app or router that the server calls, or leave it out inside an Express app.")}function dt(e,t,n){const r=t??ft(e)
if(void 0===r){mt()
return}const o=me(r)
return o&&{router:o,url:lt(e,o,n)}}function ft(e){const t=ge(e)
const n=we(e,t)
if(void 0===n)return t
const r=me(t)
const o=me(n)
return r&&o&&st(o,r)?n:t}function lt(e,t,n){const{url:r="/",baseUrl:o="",originalUrl:i=r}=e
if(r===i||!R(i).restores)return i
if("function"==typeof n&&it(t,n))return r
return ht(i,o,r)?i:o+r}function ht(e,t,n){const r=e.endsWith(n)?n:n.slice(1)
if(!e.endsWith(r))return!1
return e.slice(0,e.length-r.length).replaceAll("/","")===t.replaceAll("/","")}let pt=!1
function mt(){if(pt)return
pt=!0
process.emitWarning("The request was handled by no Express app, so its routes are out of sight. Pass the router that the server calls to every middleware of patch-options: optionsHandler({ root: router }).",{code:"PATCH_OPTIONS_ROOT"})}function gt(e={}){const t=wt(e)
return(e,n)=>t(e,n)?.target}function wt({root:e}={}){return(t,n)=>{const r=dt(t,e,n)
if(void 0===r)return
const{router:o,url:i}=r
const s="*"===i&&"OPTIONS"===t.method?et(o):Qe(o,i)
return{url:i,routes:s,target:s.methods??(s.allVerbs?yt:void 0)}}}const yt=qe(n.METHODS,[],!0)
function vt(e){return"code"in e}const bt={allowOrigin:"*"}
const Et={allowOrigin:void 0}
function kt({method:e,headers:t}){return"OPTIONS"===e&&void 0!==t.origin&&void 0!==t["access-control-request-method"]}function Ot(e,t,n){const{origin:r}=t.headers
if(void 0===r)return e.anyOrigin?bt:Et
if(e.anyOrigin&&!n)return bt
const o=xt(r)
if(void 0!==o)return{code:o,origin:r}
if(e.anyOrigin)return bt
const i=e=>e?{allowOrigin:r}:{code:"cors-origin-not-allowed",origin:r}
const s=e=>({code:"cors-predicate-failed",origin:r,error:e})
try{const n=e.allows(r,t)
return"boolean"==typeof n?i(n):n.then(i,s)}catch(e){return s(e)}}function xt(e){if(e.length>1024)return"cors-origin-too-long"
if(e.includes(" ")||e.includes(","))return"cors-origin-repeated"
return Tt(e)?void 0:"cors-origin-malformed"}function Tt(e){for(let t=0;t<e.length;t++){const n=e.charCodeAt(t)
if(n<33||n>126)return!1}return""!==e}const St=["DELETE","GET","HEAD","PATCH","POST","PUT"]
function At({methods:e},t){const n=t.allVerbs?St:t.methods
return void 0===e?n:n.filter(t=>e.includes(t))}function Nt(e){const t=["Vary",[...e.vary,"Access-Control-Request-Method"].join(", ")]
const n=["Content-Length","0"]
const r=new WeakMap
return{refused:{status:403,fields:[...t,...n]},allowed(o,i){let s=r.get(o)
if(void 0===s){s=[...$t(e,o),...t,...n]
r.set(o,s)}return{status:200,fields:["Access-Control-Allow-Origin",i,...s]}}}}function $t(e,t){const{credentials:n,allowedHeaders:r,maxAge:o}=e
return["Access-Control-Allow-Methods",At(e,t).join(", "),...r.length>0?["Access-Control-Allow-Headers",r.join(", ")]:[],...n?["Access-Control-Allow-Credentials","true"]:[],"Access-Control-Max-Age",String(o)]}function Rt(e,t){const n=Nt(e)
const r=(e,r,o,i)=>{if(!o)return{preflight:o,verdict:i,answer:void 0,target:void 0}
const s=vt(i)?void 0:i.allowOrigin
if(void 0===s)return{preflight:o,verdict:i,answer:n.refused,target:void 0}
const a=t(e,r)
return{preflight:o,verdict:i,answer:a&&n.allowed(a,s),target:a}}
return(t,n)=>{const o=kt(t)
const i=Ot(e,t,o)
return i instanceof Promise?i.then(e=>r(t,n,o,e)):r(t,n,o,i)}}const Ct=["origin","credentials","allowedHeaders","exposedHeaders","maxAge","methods","vary","onRefused","root","dangerouslyAllowInsecureOrigins","dangerouslyAllowPublicSuffixes","dangerouslyAllowAnyOriginWithCredentials"]
function Pt(e){return["GET","HEAD","POST"].includes(e)}function Lt(e){return/^(?:CONNECT|TRACE|TRACK)$/i.test(e)}const It=new Set(["accept-charset","access-control-request-headers","access-control-request-method","cookie","cookie2","dnt","expect","host","origin","referer","te"])
const Mt=new Set(["accept-encoding","connection","content-length","date","keep-alive","set-cookie","trailer","transfer-encoding","upgrade","via"])
const jt=new Set(["accept-language","authorization","from","if-match","if-modified-since","if-none-match","if-range","if-unmodified-since","max-forwards","prefer","range","upgrade-insecure-requests","user-agent"])
const Ht=new Set(["set-cookie","set-cookie2"])
const Wt=new Set(["accept-patch","accept-post","accept-ranges","access-control-allow-credentials","access-control-allow-headers","access-control-allow-methods","access-control-allow-origin","access-control-expose-headers","access-control-max-age","age","allow","alt-svc","clear-site-data","content-security-policy","cross-origin-embedder-policy","cross-origin-opener-policy","cross-origin-resource-policy","etag","last-modified","location","permissions-policy","preference-applied","proxy-authenticate","referrer-policy","retry-after","server","server-timing","strict-transport-security","timing-allow-origin","vary","www-authenticate","x-content-type-options","x-frame-options"])
function qt(e){return/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(e)}function Gt(e){const t=e.toLowerCase()
if(!qt(e))return"is no header field name"
if(It.has(t)||Mt.has(t)||/^(?:proxy|sec)-/.test(t))return"is a header field that browsers let no script send"
return Wt.has(t)?"is a response header field":void 0}function Dt(e){const t=e.toLowerCase()
if(!qt(e))return"is no header field name"
if(Ht.has(t))return"is a header field that browsers let no script read"
return jt.has(t)||It.has(t)?"is a request header field":void 0}const Ut=["Content-Type","If-Match","If-None-Match","If-Unmodified-Since","Prefer","Idempotency-Key","Authorization"]
const Ft=["ETag","Accept-Patch","Allow","Content-Location","Location","Preference-Applied","Retry-After"]
function Bt(e,t,n){return zt(e,"allowedHeaders",t??Ut,n,Gt)}function _t(e,t,n){return zt(e,"exposedHeaders",t??Ft,n,Dt)}function zt(e,t,n,r,o){const i=Yt(e,t,n)??[]
for(const{name:t,place:n}of i){const i="*"===t?r?"covers no header field where credentials is true":void 0:o(t)
if(void 0!==i){const r="*"===t?"Name the header fields.":"Leave it out."
e.mistake(n,t,i,r)}}return i.map(({name:e})=>e)}function Jt(e,t){if(void 0===t)return
const r=Yt(e,"methods",t)
if(void 0===r)return
if(0===r.length)e.mistake("methods",t,"leaves no method","Leave it out: the methods are computed from the routes.")
for(const{name:t,place:o}of r){if(n.METHODS.includes(t)&&!Lt(t))continue
if("*"===t)e.mistake(o,t,"is no method","Leave it out: the methods are computed from the routes.")
else if(Lt(t))e.mistake(o,t,"is a method that browsers let no script send","Leave it out.")
else if(n.METHODS.includes(t.toUpperCase()))e.mistake(o,t,"is not in upper case, and methods are compared so",`Write '${t.toUpperCase()}'.`)
else e.mistake(o,t,"is no method that Node reads","Write methods like 'GET' and 'PATCH'.")}return r.map(({name:e})=>e)}function Kt(e,t,n){if(void 0===t)return[]
const r=Yt(e,"vary",t)??[]
if(!n&&r.length>0)e.mistake("vary",t,"names what an origin predicate reads, and there is none","Leave it out.")
for(const{name:t,place:n}of r)if(!qt(t))e.mistake(n,t,"is no header field name","Leave it out.")
return r.map(({name:e})=>e)}function Yt(e,t,n){const r="string"==typeof n?n.split(",").filter(e=>""!==e.trim()):Vt(n)
if(void 0===r){const r="Write an array, ['…', '…'], or a comma-separated string."
e.mistake(t,n,"is no list of names",r)
return}const o=new Map
for(const[i,s]of r.entries()){const r="string"==typeof n?t:`${t}[${i}]`
if("string"!=typeof s)e.mistake(r,s,"is no string","Write a name.")
else if(!o.has(s.trim().toLowerCase()))o.set(s.trim().toLowerCase(),{name:s.trim(),place:r})}return[...o.values()]}function Vt(e){return Array.isArray(e)?e:void 0}function Xt({exact:e,patterns:t,predicates:n}){return(r,o)=>{if(e.has(r))return!0
if("null"===r)return!1
return t.some(e=>e.test(r))||Zt(n,r,o)}}function Zt(e,t,n){for(const[r,o]of e.entries()){const i=o(t,n)
if(!0===i)return!0
if(Qt(i))return Promise.resolve(i).then(o=>!0===o||Zt(e.slice(r+1),t,n))}return!1}function Qt(e){return"object"==typeof e&&null!==e&&"then"in e&&"function"==typeof e.then}function en(e){if("null"===e)return{matches:"null",scheme:"",hostname:"",underPublicSuffix:!1}
const t=e.includes("://*.")
const n=/:\*(?=$|[/?#])/.test(e)
const r=e.replace("://*.","://").replace(/:\*(?=$|[/?#])/,"")
if(r.includes("*"))return{reason:"has a star where none can stand",fix:"A star stands for labels at the start of the host, 'https://*.example.com', or for the port, 'http://localhost:*'."}
const o=nn(r)
if("fix"in o)return o
const{origin:i,reason:s,scheme:c,hostname:u}=o
if(void 0!==s)return{reason:s,fix:`Write '${(t?i.replace("://","://*."):i)+(n?":*":"")}'.`}
if(!t&&!n)return{matches:i,scheme:c,hostname:u,underPublicSuffix:!1}
const d=u.replace(/^\[(.*)\]$/,"$1")
if(t&&0!==a.isIP(d))return{reason:"asks for sub-domains of an IP address",fix:`Write '${i}'.`}
const f=u.split(".").filter(e=>""!==e)
return{matches:un(i,t,n),scheme:c,hostname:u,underPublicSuffix:t&&f.length<2&&"localhost"!==u}}function tn(e){return/^(?:(?:.+\.)?localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(e)}function nn(e){if(e.includes(","))return{reason:"is several origins in one string",fix:`Write a list: [${e.split(",").map(e=>`'${e.trim()}'`).join(", ")}].`}
const[,t,n]=/^([a-z][a-z0-9+.-]*):\/\/(.+)$/i.exec(e)??[]
if(void 0===t||void 0===n)return{reason:"has no scheme and host",fix:`Write '${rn(e)}'.`}
if("file"===t.toLowerCase())return{reason:"is of a scheme whose pages send the origin null",fix:"Write 'null', if you mean them."}
return/^https?$/i.test(t)?on(e,t,n):cn(e,t,n)}function rn(e){if(!/^[a-z0-9.:[\]-]+$/i.test(e))return"https://example.com"
return tn(e.replace(/:[0-9]+$/,""))?`http://${e}`:`https://${e}`}function on(e,t,n){const r=sn(e)
if(void 0===r)return{reason:"is no URL",fix:"Write an origin like 'https://example.com'."}
const{origin:o,protocol:i,hostname:s}=r
return{origin:o,reason:o===e?void 0:an(t,n),scheme:i.slice(0,-1),hostname:s}}function sn(e){try{return new URL(e)}catch{return}}function an(e,t){const n=t.replace(/[/?#].*$/s,"")
if(/\P{ASCII}/u.test(n))return"is not ASCII, and browsers send the host in punycode"
if(/[A-Z]/.test(e+n))return"has upper-case letters, and browsers send none"
if(t===`${n}/`)return"ends in a slash, and origins do not"
if(t!==n)return"has a path, and origins have none"
if(n.includes("@"))return"has a user name, and origins have none"
if(/:(?:80|443)$/.test(n))return"names the default port, and browsers leave it out"
return"is not how browsers write this origin"}function cn(e,t,n){const r=n.replace(/[/?#].*/,"")
if(!/^[!-~]+$/.test(r))return{reason:"is not ASCII",fix:"Write the origin as the browser sends it."}
const o=`${t}://${r}`.toLowerCase()
return{origin:o,reason:o===e?void 0:an(t,n),scheme:t.toLowerCase(),hostname:r.toLowerCase()}}function un(e,t,n){const r=e.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")
const o=t?r.replace("://","://(?:[a-z0-9_-]+\\.)+"):r
return new RegExp(`^${o}${n?"(?::[0-9]{1,5})?":""}$`)}function dn(e){const{source:t,flags:n}=e
const r=[]
if(/[gy]/.test(n))r.push({reason:`has the flag ${n.includes("g")?"g":"y"}, with which it remembers where it stopped and refuses every other time`,fix:`Leave the flag out: ${fn(t,n.replace(/[gy]/g,""))}.`})
if(e.multiline)r.push({reason:"has the flag m, with which ^ and $ are not the ends",fix:`Leave the flag out: ${fn(t,n.replace("m",""))}.`})
if(!ln(e))r.push({reason:"is not anchored at both ends, and so admits longer origins that contain what it names",fix:`Write ${fn(`^(?:${t})$`,n.replace(/[gmy]/g,""))}, if that is what you mean.`})
return r}function fn(e,t){return`/${e}/${t}`}function ln({source:e,flags:t}){const n=t.includes("v")
let r=0
let o=0
let i=!0
let s=!1
for(let t=0;t<e.length;t++){const a=e[t]
if(i&&"^"!==a)return!1
i=!1
const c=s
s=!1
if("\\"===a)t++
else if(o>0){if("]"===a)o--
else if("["===a&&n)o++}else if("["===a)o++
else if("("===a)r++
else if(")"===a)r--
else if(0===r&&"$"===a)s=!0
else if(0===r&&"|"===a){if(!c)return!1
i=!0}}return s}function hn(e,t,n){if(void 0===t)return pn(e,n)
if("*"===t)return mn(e,t,n)
const r={exact:new Set,patterns:[],predicates:[]}
const o=Array.isArray(t)?t:[t]
if(0===o.length)e.mistake("origin",t,"allows no origin","Name an origin, or leave corsPreflight() out.")
for(const[i,s]of o.entries()){const o=Array.isArray(t)?`origin[${i}]`:"origin"
if("string"==typeof s)gn(e,o,s,n,r)
else if(s instanceof RegExp)yn(e,o,s,r)
else if(vn(s))r.predicates.push(s)
else bn(e,o,s)}return r}function pn(e,t){if(t.named){const t="Look whether a setting is missing; for every origin write '*', or leave the option out."
e.mistake("origin",void 0,"is named, and has no value",t)}return mn(e,"*",t)}function mn(e,t,n){if(n.credentials&&!n.anyWithCredentials)e.mistake("origin",t,"cannot go with credentials: browsers refuse it, and it would give every page the rights of its user","Name the origins that may have credentials.")
return t}function gn(e,t,n,r,o){if("*"===n){const o=r.credentials?"Leave it out of the list.":"Write origin: '*', or leave it out of the list."
e.mistake(t,n,"makes the rest of the list idle",o)
return}const i=en(n)
if("fix"in i){e.mistake(t,n,i.reason,i.fix)
return}wn(e,t,n,i,r)
if("string"==typeof i.matches)o.exact.add(i.matches)
else o.patterns.push(i.matches)}function wn(e,t,n,{scheme:r,hostname:o,underPublicSuffix:i},s){if(i&&!s.publicSuffixes)e.mistake(t,n,"has fewer than two labels after the star, and so names the domains of strangers","Name your own domain after the star, 'https://*.example.com'; or say dangerouslyAllowPublicSuffixes: true.")
if(!s.credentials)return
if("null"===n&&!s.anyWithCredentials)e.mistake(t,n,"cannot go with credentials: any page can put itself into a frame whose origin it is","Leave it out; or say dangerouslyAllowAnyOriginWithCredentials: true.")
if("http"===r&&!tn(o)&&!s.insecure)e.mistake(t,n,"cannot go with credentials: whoever is on the network can rewrite an http: page, and so act as its user",`Write '${n.replace("http:","https:")}'; or say dangerouslyAllowInsecureOrigins: true.`)}function yn(e,t,n,r){for(const{reason:r,fix:o}of dn(n))e.mistake(t,n,r,o)
r.patterns.push(new RegExp(n))}function vn(e){return"function"==typeof e}function bn(e,t,n){if(!0===n){const r="Name the origins; or write '*', without credentials, for every origin."
e.mistake(t,n,"would send back whichever origin asks",r)}else if(!1===n)e.mistake(t,n,"allows no origin","Leave corsPreflight() out where there is no CORS.")
else{const r="Write an origin like 'https://app.example', a RegExp or a function, or a list of these."
e.mistake(t,n,"is neither a string, a RegExp nor a function",r)}}function En(e){const t=new OptionsCheck("corsPreflight()")
t.names(e,Ct)
ut(t,e)
const n=kn(t,e,"credentials")
const r=hn(t,e.origin,{named:"origin"in e,credentials:n,insecure:kn(t,e,"dangerouslyAllowInsecureOrigins"),publicSuffixes:kn(t,e,"dangerouslyAllowPublicSuffixes"),anyWithCredentials:kn(t,e,"dangerouslyAllowAnyOriginWithCredentials")})
const o="*"!==r&&r.predicates.length>0
const i="*"===r&&!n
const s=Kt(t,e.vary,o)
const a={anyOrigin:i,allows:"*"===r?()=>!0:Xt(r),credentials:n,allowedHeaders:Bt(t,e.allowedHeaders,n),exposedHeaders:_t(t,e.exposedHeaders,n),maxAge:xn(t,e.maxAge),methods:Jt(t,e.methods),vary:i?[]:["Origin",...s],onRefused:On(t,e)}
t.done()
return Object.freeze(a)}function kn(e,t,n){const r=t[n]
if(void 0!==r&&"boolean"!=typeof r)e.mistake(n,r,"is neither true nor false","Write true, or leave it out.")
return!0===r}function On(e,{onRefused:t}){if(void 0!==t&&"function"!=typeof t)e.mistake("onRefused",t,"is no function","Give a function, or leave it out.")
return t}function xn(e,t){if(void 0===t)return 600
if("number"!=typeof t||!Number.isInteger(t)||t<0||t>86400){e.mistake("maxAge",t,"is no whole number of seconds from 0 to 86400, a day, which is the longest that any browser keeps an answer","Write 600 for ten minutes, 0 for no keeping.")
return 600}return t}function Tn({credentials:e,exposedHeaders:t,...n}){const r=n.vary.join(", ")
const o=t.join(", ")
return(t,n)=>{E.default(t,()=>{if(""!==r)y.default(t,r)
if(void 0===n)return
Sn(t,"Access-Control-Allow-Origin",n)
if(e)Sn(t,"Access-Control-Allow-Credentials","true")
if(""!==o)Sn(t,"Access-Control-Expose-Headers",o)})}}function Sn(e,t,n){if(!e.hasHeader(t))e.setHeader(t,n)}const An={elements:128,empty:16,length:8192}
function Nn(e,t=An){const n=[]
let r=0
let o=0
for(const i of"string"==typeof e?[e]:e??[]){o+=i.length
if(o>t.length)return
for(let e,o=0;o<=i.length;o=e+1){const s=i.indexOf(",",o)
e=-1===s?i.length:s
const a=$n(i,o,e)
if(""!==a)n.push(a)
else if(""!==i)r++
if(n.length>t.elements||r>t.empty)return}}return n}function $n(e,t,n){for(;t<n&&Rn(e,t);)t++
for(;n>t&&Rn(e,n-1);)n--
return e.slice(t,n)}function Rn(e,t){return" "===e[t]||"\t"===e[t]}function Cn(e,t,n){const{preflight:r}=t
const o=Pn(t)??Mn(t,n.verdict)??jn(e,t,n.verdict)??(r?Hn(e,t,n.methods):void 0)
if(void 0!==o)return{allowed:!1,preflight:r,...o}
return{allowed:!0,preflight:r,code:"cors-allowed",step:void 0,reason:`The browser lets the page send ${t.method} and read the answer.`}}function Pn({method:e}){if(!Lt(e))return
return{code:"cors-method-forbidden",step:"Request constructor: a forbidden method",reason:`Browsers let no script send ${e}: use another method.`}}const Ln={"cors-origin-repeated":"The Origin field names several origins. A browser sends one; something on the way joined them.","cors-origin-too-long":"The Origin field is longer than any browser sends: whatever sent it is none.","cors-origin-malformed":"The Origin field holds what is in no origin: whatever sent it is no browser.","cors-origin-not-allowed":"The origin matches none of the rules of the option origin: add it there, if its pages may read the answers.","cors-predicate-failed":"The predicate in the option origin threw or rejected, and so the origin is refused. DEBUG=patch-options:cors shows the error."}
function In(e){return Ln[e]}function Mn({preflight:e},t){if(!vt(t))return
const n="CORS check step 2: no Access-Control-Allow-Origin"
const r=e?`CORS-preflight fetch step 7, ${n}`:n
return{code:t.code,step:r,reason:In(t.code)}}function jn(e,{preflight:t,credentials:n},r){if(!0!==n||e.credentials||vt(r))return
const o="*"===r.allowOrigin?"CORS check step 4: Access-Control-Allow-Origin is '*', which is not for credentials":"CORS check step 8: no Access-Control-Allow-Credentials"
return{code:"cors-credentials-not-allowed",step:t?`CORS-preflight fetch step 7, ${o}`:o,reason:"The page asks with credentials, and the policy gives none: name the origins and set credentials: true."}}function Hn(e,t,n){if(void 0===n)return{code:"cors-no-route",step:"CORS-preflight fetch step 7: the status is not an ok status",reason:"No route matches the path, so the preflight gets the 404 of the service: add a route, or correct the path."}
return Wn(t,n)??qn(e,t)}function Wn({method:e},t){if(t.includes(e)||Pt(e))return
const n=e.toUpperCase()
return{code:"cors-method-not-allowed",step:"CORS-preflight fetch step 7.5: the method is not in Access-Control-Allow-Methods",reason:t.includes(n)?`Methods are case-sensitive, and fetch does not upper-case this one: write '${n}'.`:`The target's routes handle ${t.join(", ")||"no method that the policy allows"}, and not ${e}: add a route, and name it in the option methods where that is set.`}}function qn({allowedHeaders:e,credentials:t},{headers:n}){if(void 0===n){const{elements:e,empty:t}=An
return{code:"cors-headers-too-many",step:"CORS-preflight fetch step 5: what no browser puts into Access-Control-Request-Headers",reason:`The list of header fields has more than ${e} names or ${t} empty elements.`}}const r=new Set(e.map(e=>e.toLowerCase()))
const o=r.has("*")&&!t
const i=n.find(e=>{const t=e.toLowerCase()
return!(r.has(t)||o&&"authorization"!==t)})
if(void 0===i)return
const s="is not in Access-Control-Allow-Headers"
return{code:"cors-header-not-allowed",step:o?`CORS-preflight fetch step 7.6: ${i} ${s} by its own name`:`CORS-preflight fetch step 7.7: ${i} ${s}`,reason:`The page sends the header field ${i}: add it to the option allowedHeaders.`}}function Gn(e,t){let n
return{see(e){if(void 0===t)n??=Reflect.get(e,"app")},async explain(r){const o=Dn(r)
const i=Un(r,o)
const s=await Ot(e,i,o.preflight)
const a=o.preflight&&!vt(s)?Fn(r.root??t??ge({app:n}))(i):void 0
const c=a&&At(e,a)
return Cn(e,o,{verdict:s,methods:c})}}}function Dn({method:e,headers:t,credentials:n}){const r=Nn(t)
return{preflight:!(Pt(e)&&0===r?.length),method:e,headers:r,credentials:n}}function Un({origin:e,method:t,headers:r,path:o},{preflight:i}){const s=new n.IncomingMessage(new a.Socket)
s.method=i?"OPTIONS":t
s.url=o
s.headers.origin=e
if(!i)return s
s.headers["access-control-request-method"]=t
if(void 0!==r)s.headers["access-control-request-headers"]=String(r)
return s}function Fn(e){if(void 0!==e)return gt({root:e})
throw new ConfigurationError("explain()",[{option:"root",value:e,reason:"leaves open whose routes count",fix:"Give the app: explain({ root: app, … })."}])}function Bn(e){try{return e instanceof Error?e.message:String(e)}catch{return"something that has no text"}}const _n=b.default("patch-options:cors")
function zn(e,t,n,r){const{preflight:o,verdict:i}=t
if(_n.enabled)Yn(e,t,n)
if(void 0===e.onRefused||!vt(i)||!o&&Jn(n))return
Kn(e.onRefused,i,o,n,r)}function Jn({headers:e}){return"same-origin"===e["sec-fetch-site"]}async function Kn(e,{code:t,origin:n,...r},o,i,s){const a=o?403:void 0
try{await e({code:t,status:a,detail:In(t),req:i,origin:n,instance:s,...r})}catch(e){process.emitWarning(`onRefused of corsPreflight() failed: ${Bn(e)}`,{code:"PATCH_OPTIONS_ON_REFUSED"})}}function Yn(e,t,n){const{preflight:r,verdict:o,target:i}=t
const{headers:s}=n
if(void 0===s.origin)return
const a={preflight:r,method:(r?s["access-control-request-method"]:n.method)??"",headers:Nn(s["access-control-request-headers"])}
const c=i&&At(e,i)
const{step:u,reason:d}=Cn(e,a,{verdict:o,methods:c})
const f=`${r?"preflight for ":""}${a.method} ${n.url??""}`
_n("%s from %s: %s",f,s.origin.slice(0,100),void 0===u?d:`${u}. ${d}`)
if(vt(o)&&"error"in o)_n("the origin predicate failed: %O",o.error)}const Vn=new WeakSet
function corsPreflight(e={}){const t=En(e)
const n=Rt(t,gt(e))
const r=Tn(t)
const o=Gn(t,e.root)
function i(e,n,o,i){const{verdict:a,answer:c}=e
if(void 0!==c&&!o.headersSent)$(o,c.status,c.fields)
else{Vn.add(n)
if(!o.headersSent)r(o,vt(a)?void 0:a.allowOrigin)
i()}zn(t,e,n,s)}const s=Object.assign((e,t,r)=>{if(Vn.has(e)){r()
return}o.see(e)
const a=n(e,s)
if(a instanceof Promise)a.then(n=>{if(!t.writableEnded)i(n,e,t,r)},r)
else i(a,e,t,r)},{explain:o.explain})
return s}function entityTag(e){return k.default(e.version)}const Xn=String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const Zn=new RegExp(`^${Xn}$`)
const Qn=new RegExp(String.raw`[\t ,]*(${Xn})[\t ]*(?=,|$)`,"y")
const er=/[\t ,]*$/y
function tr(e){if("*"===e.trim())return"*"
const t=[]
let n=0
for(;;){Qn.lastIndex=n
const r=Qn.exec(e)?.[1]
if(void 0===r)break
t.push(r)
n=Qn.lastIndex}er.lastIndex=n
return er.test(e)&&t.length>0?t:void 0}function nr(e){return Zn.test(e)}function rr(e,t){return e===t&&!e.startsWith("W/")}function or(e,t){return ir(e)===ir(t)}function ir(e){return e.startsWith("W/")?e.slice(2):e}const sr=[/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,/^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/]
function ar(e){if(!sr.some(t=>t.test(e)))return
const t=Date.parse(e.endsWith(" GMT")?e:`${e} GMT`)
return Number.isNaN(t)?void 0:t}class StoredValidators{stored
modified
#N
constructor(e){this.stored=e
this.modified=e.modified}get tag(){return this.#N??=entityTag(this.stored)}}function cr(e,t=!1){const n=e["if-none-match"]
return{ifMatch:dr("If-Match",e["if-match"]),ifNoneMatch:t?tr(n??""):dr("If-None-Match",n),ifUnmodifiedSince:fr(e["if-unmodified-since"]),ifModifiedSince:t?fr(e["if-modified-since"]):void 0}}function ur({ifMatch:e,ifNoneMatch:t,ifUnmodifiedSince:n,ifModifiedSince:r},o,i=!1){if(void 0!==e){if(!lr(e,o,i?or:rr))return"If-Match"}else if(void 0!==n&&hr(o)>n)return"If-Unmodified-Since"
if(void 0!==t){if(lr(t,o,or))return"If-None-Match"}else if(void 0!==r&&hr(o)<=r)return"If-Modified-Since"
return}function dr(e,t){if(void 0===t)return
const n=tr(t)
if(void 0!==n)return n
throw new d.ProblemError(400,"precondition-malformed",`${e} is neither * nor a list of entity tags. Send the ETag as it was received, quotes included.`)}function fr(e){return void 0===e?void 0:ar(e)}function lr(e,t,n){if(void 0===t)return!1
return"*"===e||e.some(e=>n(e,t.tag))}function hr(e){return 1e3*Math.floor((e?.modified?.getTime()??NaN)/1e3)}function pr(e,t,{safe:n=!1,weakMatch:r=!1}={}){const o=ur(e,t,r)
if(void 0===o)return
const i=void 0===t?{}:{ETag:t.tag}
if(n&&("If-None-Match"===o||"If-Modified-Since"===o))return new d.ProblemError(304,"not-modified","The representation has not changed.",{headers:i})
return new d.ProblemError(412,"precondition-failed",`${o} does not hold: ${mr(o,t)}`,{headers:i})}function mr(e,t){if(void 0===t)return"the resource does not exist. To create it, send If-None-Match: * instead."
if("If-None-Match"===e)return"the resource exists, in a state that it names. To change it, send If-Match with its ETag instead."
return"the resource has changed since. GET it, make the change on what it is now, and send that."}function gr({ifMatch:e,ifNoneMatch:t}){if(void 0!==e||"*"===t)return
throw new d.ProblemError(428,"precondition-required","A write to this resource needs If-Match with the ETag of the representation that it changes. GET it first.",{headers:{"Cache-Control":"no-store"}})}function wr(e,t){let n=0
const r=e=>{n+=e.length
if(n>16777216)i()}
const o=()=>{clearTimeout(s)
e.off("data",r).off("end",o).off("close",o)
t()}
const i=()=>{o()
e.pause()
e.socket.destroySoon()}
const s=setTimeout(i,5e3)
e.on("data",r).once("end",o).once("close",o)
e.resume()}function sendProblem(e,t){const n=JSON.stringify(t.problem)
e.statusCode=t.status
for(const[n,r]of Object.entries(t.headers))e.setHeader(n,r)
if(304===t.status){e.end()
return}e.setHeader("Content-Type","application/problem+json")
e.setHeader("Content-Length",Buffer.byteLength(n))
const{req:r}=e
if(!yr(r)){e.end(n)
return}e.write(n)
wr(r,()=>e.end())}function yr(e){const{"content-length":t="0","transfer-encoding":n}=e.headers
return!e.complete&&(void 0!==n||"0"!==t)}const vr=b.default("patch-options:options")
function br(e){const t=new OptionsCheck("methodNotAllowed()")
t.names(e,["root","errors"])
ut(t,e)
const{errors:n}=e
if(void 0!==n&&"answer"!==n&&"next"!==n)t.mistake("errors",n,"is not known","Write 'answer' or 'next'.")
t.done()}function Er(e){return e.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i,"")}function kr(e){const t=Er(e).replace(/[?#].*$/s,"")
return""===t?"/":t}function Or(e){const t=e.replaceAll("\\","%5C")
return t.startsWith("//")?`/.${t}`:t}function xr(e){return e.replace(/[^\x21-\x7e]+/g,e=>Array.from(Buffer.from(e),e=>`%${e.toString(16).toUpperCase().padStart(2,"0")}`).join(""))}const Tr=b.default("patch-options:options")
function optionsHandler(e={}){Cr(e)
const t=wt(e)
const n=Nr(e)
return function optionsHandler(e,r,o){if("OPTIONS"!==e.method){o()
return}const i=t(e,optionsHandler)
if(void 0===i||"reachable"===i.routes.optionsHandler){Tr("%s: left to the host",e.url)
o()
return}const s=i.target??("shadowed"===i.routes.optionsHandler?Sr:void 0)
if(void 0===s){Ar(i,r,o)
return}Tr("%s: %s",i.url,s.methods)
try{n(r,s,i.url)}catch(e){o(e)}}}const Sr=qe([])
function Ar(e,t,n){if(!e.routes.answeredByExpress)n()
else if(void 0!==e.routes.malformed)n(e.routes.malformed.error)
else sendProblem(t,new d.ProblemError(404,"not-found","No route of this server answers for this target. Look at the address."))}function Nr({status:e=200,body:t}){const n=new WeakMap
const r=204===e?[]:["Content-Length","0"]
return(o,i,s)=>{let a=n.get(i)
if(void 0===a)n.set(i,a=$r(i,r))
const c=void 0===t?void 0:Rr(t,i,s)
if(void 0===c){$(o,e,a.withoutContent)
return}const u=["Content-Type","application/json","Content-Length",String(Buffer.byteLength(c))]
$(o,e,[...a.ofTarget,...u],c)}}function $r({methods:e,acceptPatch:t},n){const r=["Allow",e.join(", ")]
if(t.length>0)r.push("Accept-Patch",t.join(", "))
return{ofTarget:r,withoutContent:[...r,...n]}}function Rr(e,{methods:t,acceptPatch:n},r){const o=JSON.stringify(e({path:kr(r),methods:t,acceptPatch:n}))
return"string"==typeof o?o:void 0}function Cr(e){const t=new OptionsCheck("optionsHandler()")
t.names(e,["root","body","status"])
ut(t,e)
const{body:n,status:r}=e
if(void 0!==n&&"function"!=typeof n)t.mistake("body",n,"is no function","Give a function that returns the content of the answer.")
if(void 0!==r&&200!==r&&204!==r)t.mistake("status",r,"is no status of an answer to OPTIONS","Give 200 or 204.")
if(204===r&&void 0!==n)t.mistake("status",r,"has no content","Leave out `body`, or answer with 200.")
t.done()}function Pr(e){return Array.isArray(e)}function Lr(e){return"object"==typeof e&&null!==e}function Ir(e){return Lr(e)&&!Pr(e)}function Mr(e,t){return Object.hasOwn(e,t)?e[t]:void 0}function jr(e,t,n){if(t in e&&!Object.hasOwn(e,t))Object.defineProperty(e,t,{value:n,writable:!0,enumerable:!0,configurable:!0})
else e[t]=n}function Hr(e){return Pr(e)?e:Object.values(e)}function Wr(e,t){if(!Lr(t))return!1
return e<1||Hr(t).some(t=>Wr(e-1,t))}function qr(e,t){if(e===t)return!0
if(Pr(e))return Pr(t)&&e.length===t.length&&t.every((t,n)=>qr(e[n],t))
if(!Ir(e)||!Ir(t))return!1
const n=Object.keys(t)
return n.every(n=>Object.hasOwn(e,n)&&qr(e[n],t[n]))&&n.length===Object.keys(e).length}function Gr(e,t,n){if("string"==typeof e)return e.length>t?e.length:Buffer.byteLength(JSON.stringify(e))
if(!Lr(e))return String(e).length
if(n<1)return 1/0
let r=1
if(Pr(e))for(const o of e){r+=1+Gr(o,t-r,n-1)
if(r>t)return r}else for(const o of Object.keys(e)){r+=2+Gr(o,t-r,n)
r+=Gr(e[o],t-r,n-1)
if(r>t)return r}return Math.max(2,r)}function Dr(e){if(""===e)return{text:e,tokens:[]}
if(!e.startsWith("/"))return
const t=[]
let n=1
for(let r=e.indexOf("/",n);r>=0;r=e.indexOf("/",n)){t.push(e.slice(n,r))
n=r+1}t.push(e.slice(n))
if(!e.includes("~"))return{text:e,tokens:t}
if(/~(?![01])/.test(e))return
return{text:e,tokens:t.map(Fr)}}function Ur(e){return e.map(e=>"/"+e.replaceAll("~","~0").replaceAll("/","~1")).join("")}function Fr(e){return e.replaceAll("~1","/").replaceAll("~0","~")}function Br(e){if(e.length>1&&e.startsWith("0"))return-1
let t=""===e?-1:0
for(let n=0;n<e.length;n++){const r=e.charCodeAt(n)-48
if(r<0||r>9)return-1
t=10*t+r}return t}function _r(e,t){if(Pr(e))return e[Br(t)]
return Ir(e)?Mr(e,t):void 0}function zr(e,t){return t.reduce(_r,e)}class CopyOnWrite{root
remembers
#A=new Map
#$
constructor(e,t){this.root=e
this.remembers=t}containerOf(e){if(!Lr(this.root))return
let t=this.root=this.#R(this.root)
for(const n of e.slice(0,-1)){const e=_r(t,n)
if(!Lr(e))return
const r=this.#R(e)
if(r!==e)Jr(t,n,r)
t=r}return t}share(e){if(!Lr(e)||!this.#C(e))return;(this.#$??=new Set).add(e)
for(const t of Hr(e))this.share(t)}originalOf(e){return this.#A.get(e)}#R(e){if(this.#C(e))return e
const t=Pr(e)?[...e]:{...e}
if(this.remembers)this.#A.set(t,e)
return t}#C(e){return this.#A.has(e)&&!0!==this.#$?.has(e)}}function Jr(e,t,n){if(Pr(e))e[Number(t)]=n
else e[t]=n}const Kr={"patch-malformed":400,"patch-conflict":409,"patch-test-failed":409,"limit-operations":413,"limit-depth":413,"limit-copied":413}
class PatchError extends d.ProblemError{name="PatchError"
constructor(e,t,n={}){super(Kr[e],e,t,{extensions:{...n}})}}function Yr(e,t){if(!Pr(e))throw new PatchError("patch-malformed","The patch document is no array of operations, as a JSON Patch is (RFC 6902 3). Put a single one into brackets.")
if(e.length>t.operations)throw new PatchError("limit-operations",`The patch has ${e.length} operations; at most ${t.operations} are taken. Send it in parts.`)
const n=e.map((e,n)=>Vr(e,n,t.depth))
n.forEach(eo)
return n}function Vr(e,t,n){if(!Ir(e))throw to(t,'is not an object: write {"op": …, "path": …}')
const r=Mr(e,"op")
switch(r){case"add":case"replace":case"test":return{index:t,op:r,path:Xr(e,"path",t),value:Zr(e,t,n)}
case"remove":return{index:t,op:r,path:Xr(e,"path",t)}
case"move":case"copy":{const n={index:t,op:r,path:Xr(e,"path",t),from:Xr(e,"from",t)}
if("move"===r&&Qr(n.from,n.path))throw to(t,"moves a value into itself (RFC 6902 4.4): copy it instead",n.path)
return n}case void 0:throw to(t,'has no "op" member: give it one of add, remove, replace, move, copy and test')
default:throw to(t,'has an "op" that is none of add, remove, replace, move, copy and test')}}function Xr(e,t,n){const r=Mr(e,t)
if(void 0===r)throw to(n,`has no "${t}" member: give it a JSON Pointer`)
if("string"!=typeof r)throw to(n,`has a "${t}" that is not a string: write a JSON Pointer`)
const o=Dr(r)
if(void 0!==o)return o
throw to(n,`has a "${t}" that is not a JSON Pointer: it is empty or begins with "/", and "~" stands only in "~0" and "~1"`,{text:r})}function Zr(e,t,n){const r=Mr(e,"value")
if(void 0===r)throw to(t,'has no "value" member: give it one, null if that is meant')
if(Wr(n,r))throw no("limit-depth",t,`has a value of more than ${n} levels`)
return r}function Qr(e,t){return t.text.startsWith(e.text+"/")}function eo({op:e,path:t,index:n},r,o){if("remove"!==e||""!==t.text)return
const i=o[n+1]
if("add"===i?.op&&""===i.path.text)return
throw to(n,"removes the whole document, which is for DELETE to do",t)}function to(e,t,n){return no("patch-malformed",e,t,n)}function no(e,t,n,r){const o=void 0===r?{}:{pointer:oo(r.text,1e3)}
const i=void 0===r?"":` (${JSON.stringify(oo(r.text,100))})`
const s=ro.has(e)?" GET the resource, and write the patch for what it is now.":""
return new PatchError(e,`Operation ${t}${i} ${n}.${s}`,{operation:t,...o})}const ro=new Set(["patch-conflict","patch-test-failed"])
function oo(e,t){return e.length>t?`${e.slice(0,t)}…`:e}class Draft{limits
#P
#L=new Map
#I=0
constructor(e,t,n){this.limits=n
this.#P=new CopyOnWrite(e,t.length>1||"move"===t[0]?.op)}apply(e){switch(e.op){case"add":this.#M(e,e.value)
this.#j(e,e.value)
return
case"replace":this.#M(e,e.value)
this.#H(e,e.value)
return
case"remove":this.#W(e,e.path)
return
case"move":this.#q(e,e.from)
return
case"copy":this.#G(e,e.from)
return
case"test":this.#D(e,e.value)}}finish(){if(this.#L.size>0)this.#U(this.#P.root,0)
return this.#P.root}#j(e,t){const{path:n}=e
const r=n.tokens.at(-1)
if(void 0===r){this.#P.root=t
return}const o=this.#F(e,n)
if(!Pr(o))jr(o,r,t)
else if("-"===r)o.push(t)
else{const i=Br(r)
if(i<0)throw so(e,n,'names an array element by what is no index: write digits, or "-" for the end')
if(i>o.length)throw so(e,n,"names an index beyond the end of the array")
o.splice(i,0,t)}}#H(e,t){const{path:n}=e
const r=n.tokens.at(-1)
if(void 0===r){this.#P.root=t
return}const o=this.#F(e,n)
if(void 0===_r(o,r))throw io(e,n)
Jr(o,r,t)}#W(e,t){const n=t.tokens.at(-1)
if(void 0===n){this.#P.root=void 0
return}const r=this.#F(e,t)
if(void 0===_r(r,n))throw io(e,t)
if(Pr(r))r.splice(Number(n),1)
else Reflect.deleteProperty(r,n)}#q(e,t){const{path:n}=e
const r=this.#B(e,t)
if(t.text===n.text)return
this.#W(e,t)
this.#j(e,r)
if(Lr(r)&&n.tokens.length>t.tokens.length)this.#L.set(r,e)}#G(e,t){const{copied:n,depth:r}=this.limits
const o=this.#B(e,t)
const i=Gr(o,n-this.#I,r-e.path.tokens.length)
if(i===1/0)throw this.#_(e)
this.#I+=i
if(this.#I>n){const r=`copies more than is left of the ${n} bytes that one patch may copy: copy less`
throw no("limit-copied",e.index,r,t)}this.#P.share(o)
this.#j(e,o)}#D(e,t){const{index:n,path:r}=e
if(qr(zr(this.#P.root,r.tokens),t))return
throw no("patch-test-failed",n,"tests for a value that is not there",r)}#B(e,t){const n=zr(this.#P.root,t.tokens)
if(void 0===n)throw io(e,t)
return n}#F(e,t){const n=this.#P.containerOf(t.tokens)
if(void 0===n)throw io(e,t)
return n}#M(e,t){if(Wr(this.limits.depth-e.path.tokens.length,t))throw this.#_(e)}#U(e,t){if(!Lr(e))return
const n=this.#z(e)
if(void 0!==n){if(Wr(this.limits.depth-t,e))throw this.#_(n)}else if(void 0!==this.#P.originalOf(e))for(const n of Hr(e))this.#U(n,t+1)}#z(e){let t=e
for(;void 0!==t&&!this.#L.has(t);)t=this.#P.originalOf(t)
return t&&this.#L.get(t)}#_({index:e,path:t}){return no("limit-depth",e,`nests the result deeper than ${this.limits.depth} levels`,t)}}function io(e,t){return so(e,t,"names a place that is not there")}function so({index:e},t,n){return no("patch-conflict",e,n,t)}function ao(e,t){new Scanner(e,t).scan()}const co=/true|false|null/y
const uo=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?/y
const fo=/[eE][+-]?[0-9]+/y
const lo=/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
class Scanner{text
depth
#J=0
constructor(e,t){this.text=e
this.depth=t}scan(){this.#K(this.depth)
if(!Number.isNaN(this.#Y()))throw this.#V("the end")}#K(e){switch(this.#Y()){case 34:this.#X()
return
case 123:this.#Z(this.#Q(e))
return
case 91:this.#ee(this.#Q(e))
return
case 116:case 102:case 110:if(!this.#te(co))throw this.#V("a value")
return
default:this.#ne()}}#Q(e){if(e<1)throw this.#re("limit-depth",`nests deeper than the ${this.depth} levels that are taken`)
this.#J++
return e-1}#Z(e){if(this.#oe(125))return
const t=new Set
do{if(34!==this.#Y())throw this.#V("a member name in double quotes")
const n=this.#J
const r=this.#X()
if(t.has(r))throw this.#re("patch-malformed","names a member twice in one object: leave one out",n)
t.add(r)
if(!this.#oe(58))throw this.#V('":"')
this.#K(e)}while(this.#oe(44))
if(!this.#oe(125))throw this.#V('"," or "}"')}#ee(e){if(this.#oe(93))return
do{this.#K(e)}while(this.#oe(44))
if(!this.#oe(93))throw this.#V('"," or "]"')}#ne(){const e=this.#J
if(!this.#te(uo))throw this.#V("a value")
if((this.#te(fo)||this.#J-e>=309)&&!Number.isFinite(Number(this.text.slice(e,this.#J))))throw this.#re("patch-malformed","holds a number beyond the range of a double: send it as a string",e)}#X(){const e=this.#J
let t=!1
let n=e+1
for(;;){const e=this.text.charCodeAt(n)
if(34===e)break
if(92===e){this.#J=n
if(!this.#te(lo))throw this.#V("an escape sequence")
n=this.#J
t=!0}else if(e>=32)n++
else{this.#J=n
throw this.#V("more of a string, or its closing quote")}}this.#J=n+1
return t?String(JSON.parse(this.text.slice(e,this.#J))):this.text.slice(e+1,n)}#Y(){for(;;){const e=this.text.charCodeAt(this.#J)
switch(e){case 32:case 10:case 13:case 9:this.#J++
break
default:return e}}}#oe(e){if(this.#Y()!==e)return!1
this.#J++
return!0}#te(e){e.lastIndex=this.#J
if(!e.test(this.text))return!1
this.#J=e.lastIndex
return!0}#V(e){return this.#re("patch-malformed",`is not JSON: ${e} was expected`)}#re(e,t,n=this.#J){const r=this.text.slice(0,n).split("\n")
const o=(r.at(-1)??"").length+1
return new PatchError(e,`The patch document ${t} (line ${r.length}, column ${o}).`)}}const ho=new TextDecoder("utf-8",{fatal:!0})
function po(e,t){const n=mo(e)
ao(n,t)
return JSON.parse(n)}function mo(e){if(0===e.length)throw new PatchError("patch-malformed","The patch document is empty. Send one in the format that Content-Type names.")
try{return ho.decode(e)}catch{throw new PatchError("patch-malformed","The patch document is not UTF-8, as JSON has to be (RFC 8259 8.1).")}}const go={bytes:1048576,operations:1e3,depth:100,copied:1048576,result:16777216}
function wo(e,t,n){const r=new Draft(e,t,n)
for(const e of t)r.apply(e)
return r.finish()}function yo(e,t){const n=new Map
if(!Pr(e)||0===e.length){t.mistake("parsers",e,"is no list of patch parsers","Write [jsonPatch(), mergePatch()].")
return ko(n)}e.forEach((e,r)=>{const o=`parsers[${r}]`
if(!Eo(e)){t.mistake(o,e,"is no patch parser","Call it: jsonPatch(), mergePatch().")
return}for(const r of vo(`${o}.mediaType`,e.mediaType,t))if(n.has(r))t.mistake(o,r,"is read by an earlier parser already","Keep one parser for each media type.")
else n.set(r,e)})
return ko(n)}function vo(e,t,n){const r=Pr(t)?t:[t]
if(0===r.length)n.mistake(e,t,"names no media type","Write 'application/merge-patch+json'.")
return r.flatMap(t=>{if("string"==typeof t&&bo(t))return[t.toLowerCase()]
n.mistake(e,t,"is no media type","Write type/subtype alone, as in 'application/merge-patch+json'.")
return[]})}function bo(e){return/^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(e)}function Eo(e){return"object"==typeof e&&null!==e&&"mediaType"in e&&"parse"in e&&"function"==typeof e.parse}function ko(e){return{acceptPatch:[...e.keys()],find:t=>e.get(t.toLowerCase())}}function Oo(e,t){if(!Ir(t))return t
const n=Ir(e)?e:{}
let r=n
for(const[e,o]of Object.entries(t)){const t=Mr(n,e)
const i=null===o?void 0:Oo(t,o)
if(i===t)continue
if(r===n)r={...n}
if(void 0===i)Reflect.deleteProperty(r,e)
else jr(r,e,i)}return r}class NotAwaited extends Error{code="NOT_AWAITED"}class Client{#ie
#se
#ae
constructor(e){this.#ie=e
this.#se=xo(e)}get hasGone(){return this.#se||xo(this.#ie)&&!this.#ie.writableFinished}get signal(){return this.#ae??=this.#ce()}throwIfGone(){if(this.hasGone)throw To()}assertAwaited(){this.throwIfGone()
if(this.#ie.headersSent)throw new NotAwaited("The request was answered by another middleware.")}context(e){return Object.assign(new ClientContext(this),e)}#ce(){if(this.hasGone)return AbortSignal.abort(To())
const e=new AbortController
this.#ie.once("close",()=>{if(this.hasGone)e.abort(To())})
return e.signal}}class ClientContext{#ue
static#de={get(){return this.#ue.signal},enumerable:!0}
constructor(e){this.#ue=e
Object.defineProperty(this,"signal",ClientContext.#de)}throwIfAborted(){this.#ue.throwIfGone()}}function xo(e){return e.closed||e.destroyed}function To(){return new NotAwaited("The client went away.")}function So(e,t,n){return new Promise((r,o)=>{n.throwIfAborted()
const i=()=>{clearTimeout(c)
n.removeEventListener("abort",a)}
const s=()=>{i()
r(!0)}
const a=()=>{i()
o(n.reason)}
const c=setTimeout(()=>{i()
r(!1)},t)
n.addEventListener("abort",a,{once:!0})
e.then(s,s)})}class KeyQueue{#fe=new Map
run(e,t,n){const r=this.#fe.get(e)
const o=void 0===r?t(!1):So(r,5e3,n.signal).then(()=>t(!0))
this.#fe.set(e,o)
const i=()=>{if(this.#fe.get(e)===o)this.#fe.delete(e)}
o.then(i,i)
return o}}function Ao(e,t){const n=void 0===e?"No Content-Type was sent":`${JSON.stringify(e)} is no patch format here`
return new d.ProblemError(415,"unsupported-media-type",`${n}. Send one of: ${t}.`,{headers:{"Accept-Patch":t}})}function No(e,t){const n=`The charset ${JSON.stringify(e)} is not read here. Send UTF-8, without a charset parameter.`
return new d.ProblemError(415,"unsupported-charset",n,{headers:{"Accept-Patch":t}})}function $o(e,t){const n=`The content coding ${JSON.stringify(e)} is not read here. Send none, or one of: ${t}.`
return new d.ProblemError(415,"unsupported-content-coding",n,{headers:{"Accept-Encoding":t}})}function Ro(e){return new d.ProblemError(413,"limit-bytes",`The patch document has more than ${e} bytes. Send a smaller patch.`)}function Co(e){return new d.ProblemError(400,"body-broken","The body is cut short, or not in the content coding that it names. Send it again.",{cause:e})}function Po(){return new d.ProblemError(404,"target-not-found","There is no resource here to patch. Look at the address, or create it first.")}function Lo(){return new d.ProblemError(409,"lost-race","Others keep changing the resource at the same time, and nothing was written. Send the patch again.",{headers:{"Retry-After":"1"}})}function Io(e){const t=`The patch changes ${JSON.stringify(e)}, which is read-only. Leave it as it is.`
return new d.ProblemError(422,"read-only",t,{extensions:{pointer:e}})}function Mo(e){const[t]=e
const n=`The patch would make an invalid resource${void 0===t?.pointer?"":` at ${JSON.stringify(t.pointer)}`}: ${t?.detail??"it was refused."}`
const r=e.map(({detail:e,pointer:t})=>void 0===t?{detail:e}:{detail:e,pointer:t})
return new d.ProblemError(422,"invalid-result",n,{extensions:{errors:r}})}const jo=new WeakMap
function Ho(e){return Uo(e.store).run(e.key,t=>e.dryRun?Wo(e):qo(e,t),e.client)}async function Wo(e){return{...await Go(e),after:void 0}}async function qo(e,t){const{store:n,key:r,client:o,context:i,retries:s}=e
const a=t?await n.get(r,e.earlyContext):e.early
let c
try{c={before:a,proposal:await e.decide(a)}}catch(t){c=await Do(e,a,t)}for(let t=-1;;t++){const{before:a,proposal:u}=c
o.assertAwaited()
try{const e=await n.replace(r,a?.version??null,u.next,i)
if(void 0!==e)return{before:a,after:e,proposal:u}}catch(e){if(t>=0||!(e instanceof d.ProblemError))throw e}if(t===s)throw void 0===a?Po():Lo()
await Fo(t)
c=await Go(e)}}async function Go(e){const t=await e.store.get(e.key,e.context)
return{before:t,proposal:await e.decide(t)}}async function Do({store:e,key:t,client:n,context:r,decide:o},i,s){if(n.hasGone)throw s
const a=await e.get(t,r)
if(a?.version===i?.version&&a?.outcome===i?.outcome)throw s
return{before:a,proposal:await o(a)}}function Uo(e){let t=jo.get(e)
if(void 0===t)jo.set(e,t=new KeyQueue)
return t}async function Fo(e){if(e>0)await f.setTimeout(Math.random()*2**Math.min(e-1,6))}function Bo(){return new d.ProblemError(409,"idempotency-key-in-flight","The first request with this Idempotency-Key is still being carried out. Send it again later.",{headers:{"Retry-After":"1"}})}class InFlight{#le=new Map
async run(e,t,n){const r=performance.now()+5e3
let o=!1
for(let t;void 0!==(t=this.#le.get(e));o=!0)if(!await So(t,r-performance.now(),n.signal))throw Bo()
const i=t(o)
this.#le.set(e,i)
try{return await i}finally{this.#le.delete(e)}}}const _o=new WeakMap
function zo(e){let t=_o.get(e)
if(void 0===t)_o.set(e,t=new InFlight)
return t}function Jo(e){return JSON.stringify(e)}function Ko(e){const t=JSON.parse(e)
if(Yo(t))return t
throw new TypeError("The store gave back an outcome that was never kept there. Look who else writes to its engine.")}function Yo(e){if("object"!=typeof e||null===e)return!1
const{fingerprint:t,status:n,tag:r=""}=e
return"string"==typeof t&&(201===n||204===n)&&"string"==typeof r}function Vo(e,t,n){try{return e({get value(){return JSON.parse(JSON.stringify(t))},version:n,get modified(){throw new Error("The engine says when it has written.")}})}catch{return}}async function Xo(e){const{store:t,key:n,client:r,claim:o,fingerprint:i,tagOf:s,maxBytes:a}=e
let c
const u=async t=>{Zo(t,i)
const n=await e.decide(t)
c={next:n.next,status:void 0===t?201:204}
return n}
const d=r.context({maxBytes:a,outcome:{...o,text:e=>{const t=Vo(s,c.next,e)
return Jo({fingerprint:i,status:c.status,...void 0!==t&&{tag:t}})}}})
const f=async r=>{const o=r?await t.get(n,d):e.early
Zo(o,i)
return Ho({...e,early:o,decide:u,context:d})}
try{return await zo(t).run(`${o.id} ${n}`,f,r)}catch(e){if(e instanceof Repeated)return e
throw e}}class Repeated extends Error{outcome
constructor(e){super("The request was carried out before.")
this.outcome=e}}function Zo(e,t){if(void 0===e?.outcome)return
const n=Ko(e.outcome)
throw n.fingerprint===t?new Repeated(n):new d.ProblemError(422,"idempotency-key-reused","Another request to this resource had this Idempotency-Key, and differed in the document, the media type, a precondition or the target URI. Send this one under a key of its own.")}const Qo=String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`
const ei=[String.raw`-?\d{1,12}\.\d{1,3}`,String.raw`-?\d{1,15}`,Qo,"[A-Za-z*][\\w!#$%&'*+.^`|~:/-]*",String.raw`:[A-Za-z\d+/=]*:`,String.raw`\?[01]`,String.raw`@-?\d{1,15}`,String.raw`%"(?:[ !#$&-~]|%[\da-f]{2})*"`].join("|")
const ti=String.raw`; *[a-z*][a-z\d_.*-]*(?:=(?:${ei}))?`
const ni=new RegExp(`^ *(${Qo})(?:${ti})* *$`)
function ri(e){if(e.length>8192)return
const t=ni.exec(e)?.[1]
return t?.slice(1,-1).replaceAll(/\\(.)/g,"$1")}function oi({idempotency:e,outcomes:{keep:t=1e3,maxAge:n=86400}={},scope:r=()=>""}){if(void 0===e)return()=>{}
return o=>{const i=o.headers["idempotency-key"]?.toString()
if(void 0===i){if("required"===e)throw new d.ProblemError(400,"idempotency-key-required",'A PATCH of this resource needs an Idempotency-Key, a string in quotes that no other request has: Idempotency-Key: "…".')
return}const s=ri(i)
if(void 0===s||""===s)throw new d.ProblemError(400,"idempotency-key-malformed","Idempotency-Key is no string of a structured field. Send one line with ASCII text in double quotes, a UUID for instance.")
return{id:ai([ii(r(o)),s]),keep:t,maxAge:n}}}function ii(e){if("string"==typeof e)return e
throw new TypeError("The option scope gave no string. Return one that names whose keys these are.")}function si(e,t,n){const{headers:r}=e
const o=Object.entries(t.parameters).filter(([e])=>"charset"!==e)
return ai([Er(e.originalUrl),t.mediaType,...o.sort(([e],[t])=>e<t?-1:1),r["if-match"],r["if-none-match"],r["if-unmodified-since"]],n)}function ai(e,t=Buffer.alloc(0)){return l.createHash("sha256").update(JSON.stringify(e)).update(t).digest("base64url")}const ci={gzip:h.createGunzip,"x-gzip":h.createGunzip,deflate:h.createInflate,br:h.createBrotliDecompress}
function ui(e,t){return di(e)?pi(e,t):fi(e,t)}function di(e){return e.readableDidRead||e.readableEnded}function fi(e,t){const n=e.headers["content-encoding"]?.trim().toLowerCase()??"identity"
const r=Object.hasOwn(ci,n)?ci[n]:void 0
if(void 0===r&&"identity"!==n)throw $o(n,"gzip, deflate, br")
const o=void 0===r?t:2*t+1024
if(Number(e.headers["content-length"])>o)throw Ro(t)
if(e.destroyed&&!e.complete)throw Co(new Error("The client had gone."))
return void 0===r?hi(e,t):li(r(),e,t,o)}async function li(e,t,n,r){let o=0
const i=t=>{o+=t.length
if(o>r)e.destroy(Ro(n))}
const s=()=>{if(!t.complete)e.destroy(new Error("The client went away."))}
try{t.on("data",i).once("close",s).pipe(e)
return await hi(e,n)}finally{t.off("data",i).off("close",s).unpipe(e)
e.destroy()}}async function hi(e,t){try{return await O.default(e,{limit:t})}catch(e){const n=yi(e)?String(e.type):""
if("entity.too.large"===n)throw Ro(t)
if(e instanceof d.ProblemError||n.startsWith("stream."))throw e
throw Co(e)}}function pi(e,t){const n=mi(e)
if(n.length>t)throw Ro(t)
return n}function mi(e){const t="body"in e?e.body:void 0
if(Buffer.isBuffer(t))return t
if("string"==typeof t)return Buffer.from(t)
if(void 0===t){if(!e.readableDidRead)return Buffer.alloc(0)
throw new Error("The body of a PATCH was read before patchHandler, and nothing of it was left in req.body. Mount patchHandler in front of what reads it, or let that keep the body as a Buffer, a string or parsed JSON in req.body.")}return Buffer.from(gi(e)&&wi(t)?"":JSON.stringify(t))}function gi({headers:e}){return!(Number(e["content-length"])>0)||void 0!==e["content-encoding"]}function wi(e){return"object"==typeof e&&null!==e&&!Array.isArray(e)&&0===Object.keys(e).length}function yi(e){return"object"==typeof e&&null!==e&&"type"in e}function vi(e){if(void 0===e)return
try{return m.parse(e)}catch{return}}function bi(e,t){const n=t.headers["content-type"]
const r=vi(n)
const o=void 0===r?void 0:e.find(r.type)
const i=e.acceptPatch.join(", ")
if(void 0===r||void 0===o)throw Ao(n,i)
const{charset:s="utf-8"}=r.parameters
if(!/^(utf-?8|us-ascii)$/i.test(s))throw No(s,i)
return{parser:o,mediaType:r.type,parameters:r.parameters}}function Ei(e){if(void 0===e.throwIfAborted)e.signal?.throwIfAborted()
else e.throwIfAborted()}function ki(e){const t=Object(e)
return["get","replace"].every(e=>"function"==typeof Reflect.get(t,e))}const Oi={keep:{most:Number.MAX_SAFE_INTEGER,fix:"Give how many, a whole number over 0."},maxAge:{most:31536e3,fix:"Give seconds, a whole number over 0 and up to 31536000, a year."}}
function xi(e,{idempotency:t,outcomes:n,scope:r},o){if(void 0!==t&&!d.keepsOutcomes(e)){const e="Take a store of this package, or one of your own that is an OutcomeStore."
o.mistake("idempotency",t,"needs a store that keeps outcomes, which this is not",e)}for(const[e,i]of Object.entries({outcomes:n,scope:r})){if(void 0===i||void 0!==t)continue
const n="Write idempotency: 'optional' or 'required' too."
o.mistake(e,i,"has no use without idempotency",n)}if("object"!=typeof n)return
o.names(n,Object.keys(Oi),"outcomes.")
const i={...n}
for(const[e,{most:t,fix:n}]of Object.entries(Oi)){const r=i[e]
if(void 0===r)continue
if(!(Number.isSafeInteger(r)&&Number(r)>=1&&Number(r)<=t))o.mistake(`outcomes.${e}`,r,"is no bound",n)}}function Ti(e){if(null===e||"object"!=typeof e&&"function"!=typeof e)return!1
return"~standard"in e&&"object"==typeof e["~standard"]}const Si={key:[Ci,"Give a function of the request: (req) => req.params.id."],limits:[x,`Give an object with any of ${Object.keys(go).join(", ")}.`],respond:[Ii("minimal","representation"),"Write 'minimal' or 'representation'."],represent:[Ci,"Give a function of the value and the request."],create:[e=>!0===e||Ci(e),"Write true, or a function that gives the initial value."],location:[Ci,"Give a function of the request and the key that returns a path."],validate:[e=>Ti(e)||Ci(e),"Give a Standard Schema (zod, valibot, arktype) or a function of the next value."],transform:[Pi,"Write true or false."],readOnly:[Array.isArray,"Give a list of JSON Pointers: ['/id']."],authorize:[Ci,"Give a function of the request and the change that returns a boolean."],dryRun:[Ci,"Give a function of the request that returns a boolean."],idempotency:[Ii("optional","required"),"Write 'optional' or 'required'."],outcomes:[x,"Give an object with keep, maxAge or both."],scope:[Ci,"Give a function of the request that returns a string."],retries:[Li,"Give a whole number, 0 or more."],onPatched:[Ci,"Give a function of the event."],onPatchedError:[Ci,"Give a function of the error and the event."],onRefused:[Ci,"Give a function of the refusal."],errors:[Ii("answer","next"),"Write 'answer' or 'next'."],entityTag:[Ci,"Give a function of the stored representation that returns its entity tag."],precondition:[Ii("optional","required"),"Write 'optional' or 'required'."],weakMatch:[Pi,"Write true or false."]}
function Ai(e,t,n){if(!ki(e))n.mistake("store",e,"has no get and replace","Give a ResourceStore: new MemoryStore() is one.")
n.names(t,Object.keys(Si))
const r={...t}
for(const[e,[t,o]]of Object.entries(Si)){const i=r[e]
if(void 0!==i&&!t(i))n.mistake(e,i,"is not what this option takes",o)}$i(t.limits,n)
Ri(t.readOnly,n)
if(ki(e))xi(e,t,n)
if(!0===t.transform&&!Ti(t.validate))n.mistake("transform",!0,"has no schema whose output it could store","Give one as validate.")}const Ni=1e3
function $i(e,t){if(!x(e))return
t.names(e,Object.keys(go),"limits.")
const n={...e}
for(const[e,r]of Object.entries(n))if(!Li(r))t.mistake(`limits.${e}`,r,"is no limit","Give a whole number, 0 or more.")
if(Number(n.depth)>Ni){const e=`Give ${Ni} or less: JSON.stringify runs out of stack at some thousand levels.`
t.mistake("limits.depth",n.depth,"is deeper than a value can be written",e)}}function Ri(e,t){if(!Array.isArray(e))return
for(const[n,r]of e.entries()){if("string"==typeof r&&void 0!==Dr(r))continue
t.mistake(`readOnly[${n}]`,r,"is no JSON Pointer","Write it as RFC 6901 does: '/id'.")}}function Ci(e){return"function"==typeof e}function Pi(e){return"boolean"==typeof e}function Li(e){return Number.isSafeInteger(e)&&Number(e)>=0}function Ii(...e){return t=>e.some(e=>e===t)}function Mi(e,t){const n=[]
ji(e,t,[],n)
return n}function ji(e,t,n,r){if(e===t)return
if(!Hi(e,t)){r.push(Ur(n))
return}const o=Wi(e)
const i=Wi(t)
for(const[e,t]of o)if(i.has(e))ji(t,i.get(e),[...n,e],r)
else r.push(Ur([...n,e]))
for(const e of i.keys())if(!o.has(e))r.push(Ur([...n,e]))}function Hi(e,t){return Lr(e)&&Lr(t)&&Pr(e)===Pr(t)}function Wi(e){return new Map(Lr(e)?Object.entries(e):[])}function qi(e){const t=Gi(e.readOnly??[])
const n=Di(e.validate,e.transform??!1)
const{authorize:r}=e
if(void 0===e.validate&&void 0===r)return(e,n,r)=>{t(r,e)
return e}
return async(e,o,i,s)=>{t(i,e)
const a=await n(e,o,s)
if(a!==e)t(i,a)
if(void 0!==r)if(!await r(s,{current:o,next:a,changed:Mi(o,a)}))throw new d.ProblemError(403,"forbidden","You may not make this change to this resource: ask for the right to, or change less.")
return a}}function Gi(e){const t=e.map(e=>({pointer:e,path:Dr(e)?.tokens??[]}))
return(e,n)=>{for(const{pointer:r,path:o}of t)if(!qr(zr(n,o),zr(e,o)))throw Io(r)}}function Di(e,t){if(void 0===e)return e=>e
if(Ti(e))return Ui(e,t)
return async(t,n,r)=>{const o=t
const i=await e(o,n,r)??[]
if(i.length>0)throw Mo(i)
return o}}function Ui(e,t){return async n=>{const r=await e["~standard"].validate(n)
if(void 0!==r.issues)throw Mo(r.issues.map(Fi))
return t?r.value:n}}function Fi({message:e,path:t=[]}){return{detail:e,pointer:Ur(t.map(e=>String("object"==typeof e?e.key:e)))}}function Bi({onPatched:e,onPatchedError:t=Ji()}){if(void 0===e)return()=>{}
return n=>{zi(()=>e(n)).catch(e=>{zi(()=>t(e,n)).catch(()=>{})})}}function _i({onRefused:e}){return t=>{zi(()=>e?.(t)).catch(()=>{})}}async function zi(e){await e()}function Ji(){let e=!1
return t=>{if(e)return
e=!0
process.emitWarning(`onPatched failed after a PATCH was committed: ${Bn(t)}. The change stands. Further failures of this handler are not reported: give onPatchedError to see each.`,{code:"PATCH_OPTIONS_ON_PATCHED"})}}function Ki(e,t,n){const r=new OptionsCheck("patchHandler()")
const o=yo(t,r)
Ai(e,n,r)
r.done()
const{key:i=Yi,location:s=Vi,create:a}=n
const c=void 0===n.entityTag?entityTag:Xi(n.entityTag)
return Object.freeze({store:e,formats:o,limits:{...go,...n.limits},claimOf:oi(n),keyOf:e=>ts(i(e)),locationOf:(e,t)=>xr(s(e,t)),tagOf:c,validatorsOf:void 0===n.entityTag?e=>new StoredValidators(e):e=>({tag:c(e),modified:e.modified}),preconditionRequired:"required"===n.precondition,weakMatch:n.weakMatch??!1,initial:!0===a?()=>Zi:a,judge:qi(n),represent:n.represent??(e=>e),respond:n.respond??"minimal",retries:n.retries??15,answersErrors:"next"!==n.errors,dryRun:n.dryRun,notifyPatched:Bi(n),notifyRefused:_i(n)})}function Yi(e){return e.baseUrl+kr(e.url)}function Vi(e){return Or(kr(e.originalUrl))}function Xi(e){return t=>{const n=e(t)
if(nr(n))return n
throw new TypeError(`The option entityTag gave ${JSON.stringify(n)}, which is no entity tag: write '"…"', quotes included.`)}}const Zi=Object.freeze({})
const Qi=/\p{Surrogate}/u
const es=1024
function ts(e){if(void 0===e||e.includes("\0")||Qi.test(e))return
return Buffer.byteLength(e)<=es?e:void 0}const ns=/(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
const rs=/^[\t ]*return[\t ]*(?:=[\t ]*"?([^\t ;"]*)"?[\t ]*)?(?:;|$)/i
function os(e){if(void 0===e)return
for(const[t]of e.matchAll(ns)){const e=rs.exec(t)
if(null===e)continue
const n=e[1]?.toLowerCase()
return"minimal"===n||"representation"===n?n:void 0}return}function is(e,{req:t,format:n,document:r}){const{limits:o,initial:i,judge:s,represent:a,validatorsOf:c,weakMatch:u}=e
const d=os(t.headers.prefer?.toString())
const f=d??e.respond
let l
return async h=>{const p=void 0===h?i?.(t):h.value
if(void 0===p)throw Po()
const m=cr(t.headers)
if(e.preconditionRequired)gr(m)
const g=pr(m,void 0===h?void 0:c(h),{weakMatch:u})
if(void 0!==g)throw g
l??=n.parser.parse(r,{limits:o,parameters:n.parameters,request:t})
const w=await s(l(p),h?.value,p,t)
return{next:w,content:"representation"===f?ss(await a(w,t)):void 0,preference:d}}}function ss(e){const t=JSON.stringify(e)
if("string"==typeof t)return t
throw new TypeError("The option represent gave nothing that JSON can write. Return a value, or null.")}function as(e,t,n,r,{before:o,after:i,proposal:{content:s,preference:a}}){if(n.headersSent)return
us(t,n,r,{status:void 0===o?201:void 0===s?204:200,tag:void 0===i?void 0:ds(e,i)})
if(void 0!==a)n.setHeader("Preference-Applied",`return=${a}`)
if(void 0!==s)n.setHeader("Content-Type","application/json; charset=utf-8")
if(204!==n.statusCode)n.setHeader("Content-Length",Buffer.byteLength(s??""))
n.end(s)}function cs(e,t,n,{status:r,tag:o}){if(t.headersSent)return
us(e,t,n,{status:r,tag:o})
if("minimal"===os(e.headers.prefer?.toString()))t.setHeader("Preference-Applied","return=minimal")
if(201===r)t.setHeader("Content-Length",0)
t.end()}function us(e,t,n,{status:r,tag:o}){t.statusCode=r
if(void 0!==o)t.setHeader("ETag",o)
t.setHeader("Content-Location",n)
if(201===r&&n!==kr(e.originalUrl))t.setHeader("Location",n)}function ds(e,t){try{return e.tagOf(t)}catch(e){process.emitWarning(`A PATCH was committed, and is answered without ETag, as the option entityTag failed: ${Bn(e)}`,{code:"PATCH_OPTIONS_ENTITY_TAG"})
return}}const fs=b.default("patch-options:patch")
async function ls(e,t,n,r){const{store:o,limits:i,retries:s,tagOf:a}=e
const c=i.result
const u=bi(e.formats,t)
const d=e.claimOf(t)
const f=e.keyOf(t)
const l=r.context({maxBytes:c,mayBeStale:!0,...d&&{outcome:d}})
const h=void 0===f?void 0:o.get(f,l)
h?.catch(()=>{})
const p=await ui(t,i.bytes)
if(void 0===f)throw Po()
const m=await h
const g=e.locationOf(t,f)
const w=is(e,{req:t,format:u,document:p})
const y=void 0!==e.dryRun&&await e.dryRun(t)
const v=r.context({maxBytes:c})
const b={store:o,key:f,early:m,decide:w,client:r,context:v,earlyContext:l,retries:s,dryRun:y}
const E=void 0===d?await Ho(b):await Xo({...b,claim:d,fingerprint:si(t,u,p),tagOf:a,maxBytes:c})
if(E instanceof Repeated){fs("%s: a repeat is answered as the first was; nothing was written",t.originalUrl)
cs(t,n,g,E.outcome)
return}const{before:k,after:O}=E
if(void 0!==O)e.notifyPatched({key:f,before:k,after:O,patch:{mediaType:u.mediaType,document:p},req:t})
as(e,t,n,g,E)}function hs(e,t,{req:n,res:r,next:o,client:i}){const s=t instanceof d.ProblemError
if(t instanceof NotAwaited||i.hasGone&&(s||ps(t))){fs("%s: nobody awaits the answer any more; nothing was written",n.originalUrl)
return}if(!s){o(t)
return}const{code:a,status:c,message:u,problem:f}=t
fs("%s: %d %s: %s",n.originalUrl,c,a,u)
e.notifyRefused({code:a,status:c,detail:u,problem:f,req:n})
if(!e.answersErrors)o(t)
else if(!r.headersSent)sendProblem(r,t)}function ps(e){return e instanceof Error&&"AbortError"===e.name}function ms(e){return"params"in e}const gs=["cors","root","body","status"]
function ws({cors:e,...t},n){const r=n.part("",()=>optionsHandler(t))
if(void 0===e)return()=>[r()]
const o=n.part("cors.",()=>corsPreflight(x(e)?{...ys(t),...e}:e))
return()=>[o(),r()]}function ys({root:e}){return void 0===e?{}:{root:e}}function vs(e){return function patchOptions(t,n,r){let o=0
const i=s=>{const a=void 0===s?e[o++]:void 0
if(void 0===a)r(s)
else a(t,n,i)}
i()}}function bs(e,{root:t},n){if("function"!=typeof e||B(e)){const t="Give an Express app, or (req, res) => router(req, res, finalHandler) and that router as root."
n.mistake("app",e,"is nothing that http.createServer could call",t)}else if(void 0===t){if(pe(e))return e
const t="Name the app or router as root: optionsListener(app, { root: router })."
n.mistake("app",e,"is no Express app, so its routes are out of sight",t)}return t}function Es(e,t){const n=`optionsListener() could not answer: ${Bn(t)}`
process.emitWarning(n,{code:"PATCH_OPTIONS_LISTENER"})
sendProblem(e,new d.ProblemError(500,"options-failed","The server failed to say what this target allows. Ask again later."))}function ks(e,t){const{Router:n}=require("express")
const r=n()
r.use(...e)
for(const[e,{guard:n,patch:o}]of Object.entries(t)){const t="none"===n?[]:[n].flat()
r.route(e).options(Me).patch(...t,o)}return r}function Os(e,t){if(!x(e)){t.mistake("resources",e,"is no object","Give { '/path/:id': { guard, patch } }, or leave it out.")
return}for(const[n,r]of Object.entries(e)){const e=`resources[${JSON.stringify(n)}]`
t.names(r,["guard","patch"],`${e}.`)
if(!x(r))continue
if(!xs(r.guard))t.mistake(`${e}.guard`,r.guard,"says nothing of who may patch","Name the middlewares that run before PATCH, or write 'none'.")
if("function"!=typeof r.patch)t.mistake(`${e}.patch`,r.patch,"is no middleware","Give a patchHandler(store, parsers).")}}function xs(e){if("none"===e||"function"==typeof e)return!0
return Array.isArray(e)&&e.length>0&&e.every(e=>"function"==typeof e)}class CallsInFlight{#he=new Map
begin(e){const t=this.#he.get(e)??{calls:0}
t.calls+=1
this.#he.set(e,t)
const n=()=>this.#he.get(e)!==t
return{isOvertaken:n,end:()=>{t.calls-=1
if(0===t.calls&&!n())this.#he.delete(e)},endWrite:()=>this.#he.delete(e)}}}class NotJsonError extends TypeError{name="NotJsonError"
code="PATCH_OPTIONS_NOT_JSON"
constructor(e,t){super(`A value to be stored cannot be written as JSON, which has objects, arrays, strings, numbers, booleans and null: ${e}`,t)}}function Ts(e){try{return e()}catch(e){if(e instanceof NotJsonError)throw e
throw new NotJsonError(Bn(e),{cause:e})}}function Ss(e,t=1/0){const n=Ts(()=>JSON.stringify(e))
if("string"!=typeof n)throw new NotJsonError("it is "+typeof e)
const r=Buffer.byteLength(n)
if(r>t){const e=`The result would take ${r} bytes; at most ${t} are kept. Make it smaller.`
throw new d.ProblemError(413,"limit-result",e)}return n}function As(e,t,n,r){let o
return{get value(){o??={read:JSON.parse(e)}
return o.read},version:t,modified:n,...void 0!==r&&{outcome:r}}}class Given{constructor(e){return e}}class Made extends Given{#A=!0
static is(e){return#A in e}}function Ns(e){const t=Ts(()=>(new Copying).member("",e))
if(void 0===t)throw new NotJsonError("it is "+typeof e)
return t}class Copying{#pe=new Map
member(e,t){if("string"==typeof t||$s(t))return t
const n=Ps(Rs(e,t))
switch(typeof n){case"object":return null===n||Made.is(n)?n:this.#me(n)
case"number":return Number.isFinite(n)?n+0:null
case"string":case"boolean":return n
case"bigint":throw new NotJsonError("it holds a BigInt")
default:return}}#me(e){const t=this.#pe.get(e)
if(void 0!==t){if(!Object.isFrozen(t))throw new NotJsonError("it holds itself")
return t}const n=Array.isArray(e)?this.#ee(e):this.#Z(e)
return Object.freeze(new Made(n))}#ee(e){const t=[...e]
this.#pe.set(e,t)
for(const[e,n]of t.entries()){const r=this.member(String(e),n)??null
if(!Object.is(r,n))t[e]=r}return t}#Z(e){const t={...e}
this.#pe.set(e,t)
for(const e of Object.keys(t)){const n=t[e]
const r=this.member(e,n)
if(void 0===r)Reflect.deleteProperty(t,e)
else if(!Object.is(r,n))t[e]=r}for(const e of Object.getOwnPropertySymbols(t))Reflect.deleteProperty(t,e)
return t}}function $s(e){return"object"==typeof e&&null!==e&&Made.is(e)}function Rs(e,t){if(("object"!=typeof t||null===t)&&"bigint"!=typeof t||!("toJSON"in Object(t)))return t
const{toJSON:n}=t
return"function"==typeof n?Reflect.apply(n,t,[e]):t}const Cs=[Number,String,Boolean,BigInt]
function Ps(e){if("object"!=typeof e||null===e||Object.getPrototypeOf(e)===Object.prototype)return e
return Cs.some(t=>e instanceof t)?e.valueOf():e}class SharedState{#ge
#we
#ye
#K
constructor(e,t){this.#ge=e.version
this.#we=e.modified?.getTime()
this.#ye=void 0===t?e:void 0
this.#K=t}stored(){const e=()=>this.#ve()
const t={get value(){return e()},version:this.#ge}
return void 0===this.#we?t:Object.assign(t,{modified:new Date(this.#we)})}#ve(){if(void 0!==this.#ye){this.#K=Ns(this.#ye.value)
this.#ye=void 0}return this.#K}}class StoreCache{#be
#Ee
#ke=new CallsInFlight
constructor(e,t){this.#be=e
this.#Ee=new g.LRUCache({max:t})}async get(e,t={}){const n=!0===t.mayBeStale?this.#Ee.get(e):void 0
if(void 0!==n){Ei(t)
return n.stored()}const r=this.#ke.begin(e)
try{const n=await this.#be.get(e,t)
const o=n&&new SharedState(n)
if(!r.isOvertaken())this.#k(e,o)
return o&&Object.assign(o.stored(),void 0!==n.outcome&&{outcome:n.outcome})}finally{r.end()}}async replace(e,t,n,r={}){const o=Ns(n)
return this.write(e,async n=>{const i=await this.#be.replace(e,t,o,r)
if(void 0===i)return
const s=new SharedState(i,o)
n(s)
return s.stored()})}async write(e,t){const n=this.#ke.begin(e)
let r
try{return await t(e=>r=e)}finally{this.#k(e,n.isOvertaken()?void 0:r)
n.endWrite()}}#k(e,t){if(void 0===t)this.#Ee.delete(e)
else this.#Ee.set(e,t)}}const Ls=2**24
function Is(e,t){const n=new OptionsCheck("cachedStore()")
n.names(t,["max"])
const r=Reflect.get(Object(t),"max")
if(!(Number.isSafeInteger(r)&&Number(r)>=1&&Number(r)<=Ls)){const e=`Say how many resources are kept in memory: a whole number from 1 to ${Ls}.`
n.mistake("max",r,"is no number of resources",e)}if(!ki(e)){const t="Give a ResourceStore: new PostgresStore(…), or one of your own."
n.mistake("store",e,"has no get and replace",t)}n.done()}function Ms(e,t){return js(e)&&Buffer.byteLength(e)<=2048&&js(t??"")}function js(e){return!/[\0\p{Surrogate}]/u.test(e)}class KeptOutcomes{#Oe=new Map
find(e){const t=this.#Oe.get(e)
return void 0!==t&&t.expires>Date.now()?t.text:void 0}makeRoom(e){const t=Date.now()
for(const[n,{expires:r}]of this.#Oe){if(r>t){if(this.#Oe.size>=e)throw d.outcomesFull((r-t)/1e3)
return}this.#Oe.delete(n)}}keep({id:e,maxAge:t,text:n},r){const o={text:n(r),expires:Date.now()+1e3*t}
this.#Oe.delete(e)
this.#Oe.set(e,o)}}function Hs(){return l.randomUUID()}function Ws({value:e,version:t,modified:n}){return{value:e,version:t,modified:new Date(n)}}function qs(e){return new Promise(t=>{t(e())})}function Gs(e){return"object"==typeof e&&null!==e&&"function"==typeof Reflect.get(e,"query")}const Ds=(...e)=>t=>e.includes(String(Reflect.get(Object(t),"code")))
const Us={isMissing:Ds("42P01","3F000"),isSetupRace:Ds("23505","42P07","42P06","42710","XX000","40001"),isSerializationFailure:Ds("40001")}
async function Fs(e,t){for(let n=1;;n++){try{return await e()}catch(e){if(10===n||!t(e))throw e}await f.setTimeout(2**n*2*Math.random())}}function Bs(e,t,n,r){if("string"!=typeof n||""===n)e.mistake(t,n,"is no name",`Give the ${t}'s name as a string.`)
else if(!js(n))e.mistake(t,n,"holds a NUL or a lone surrogate","Leave it out.")
else if(r.reserved.test(n))e.mistake(t,n,"begins as the names that the engine keeps for itself","Choose another.")
else if(Buffer.byteLength(n+(r.suffix??""))>r.maxBytes){const o=`takes${void 0===r.suffix?"":`, with ${r.suffix} behind it,`} more than the ${r.maxBytes} bytes that the engine keeps of a name`
e.mistake(t,n,o,"Choose a shorter one.")}}function _s(e){return`"${e.replaceAll('"','""')}"`}function zs({schema:e,table:t}){return void 0===e?_s(t):`${_s(e)}.${_s(t)}`}const Js="_outcomes"
function Ks(e,{resources:t,modified:n}){const r=zs({...e,table:e.table+Js})
const o=e=>`now() + ${e}::int * interval '1 second'`
const i=`SELECT FROM ${r} WHERE "key" = $1 AND "id" = $4 AND "expires" > now()`
return{probe:`SELECT "key", "number", "id", "outcome", "expires" FROM ${r} LIMIT 0`,setup:`CREATE TABLE IF NOT EXISTS ${r} (\n  "key" text NOT NULL REFERENCES ${t} ("key") ON DELETE CASCADE ON UPDATE CASCADE,\n  "number" bigint NOT NULL,\n  "id" text NOT NULL,\n  "outcome" text NOT NULL,\n  "expires" timestamptz NOT NULL,\n  PRIMARY KEY ("key", "number"),\n  UNIQUE ("key", "id")\n)`,get:`SELECT "value", "version", ${n} AS "modified", "outcome" FROM ${t} AS "resource"\n  LEFT JOIN ${r} AS "kept"\n    ON "kept"."key" = "resource"."key" AND "kept"."id" = $2 AND "kept"."expires" > now()\n  WHERE "resource"."key" = $1`,insert:`WITH "written" AS (\n  INSERT INTO ${t} ("key", "value", "version", "modified") VALUES ($1, $2, $3, now())\n  ON CONFLICT ("key") DO NOTHING RETURNING "modified"\n), "kept" AS (\n  INSERT INTO ${r} ("key", "number", "id", "outcome", "expires")\n  SELECT $1, 1, $4, $5, ${o("$6")} FROM "written"\n)\nSELECT ${n} AS "modified" FROM "written"`,update:`WITH "span" AS (\n  SELECT\n    (SELECT "number" FROM ${r} WHERE "key" = $1 AND "expires" > now() ORDER BY "number" LIMIT 1) AS "first",\n    (SELECT "number" FROM ${r} WHERE "key" = $1 ORDER BY "number" DESC LIMIT 1) AS "last"\n), "room" AS (\n  SELECT "first", "last" FROM "span" WHERE coalesce("last" - "first" + 1, 0) < $8::bigint AND NOT EXISTS (${i})\n), "written" AS (\n  UPDATE ${t} SET "value" = $2, "version" = $3, "modified" = now() FROM "room"\n  WHERE "key" = $1 AND "version" = $7 RETURNING "modified"\n), "forgotten" AS (\n  DELETE FROM ${r} USING "room", "written"\n  WHERE "key" = $1 AND "number" < coalesce("first", "last" + 1) AND "id" <> $4\n), "kept" AS (\n  INSERT INTO ${r} ("key", "number", "id", "outcome", "expires")\n  SELECT $1, coalesce("last", 0) + 1, $4, $5, ${o("$6")} FROM "room", "written"\n  ON CONFLICT ("key", "id") DO UPDATE\n  SET "number" = excluded."number", "outcome" = excluded."outcome", "expires" = excluded."expires"\n)\nSELECT ${n} AS "modified", NULL AS "seconds" FROM "written"\nUNION ALL\nSELECT NULL, extract(epoch FROM "expires" - now())::text FROM "span"\n  JOIN ${r} ON "key" = $1 AND "number" = "first"\n  WHERE "last" - "first" + 1 >= $8::bigint AND NOT EXISTS (${i})\n    AND EXISTS (SELECT FROM ${t} WHERE "key" = $1 AND "version" = $7)`}}function Ys(e){return Object.values(Object(e)).map(e=>null===e?void 0:String(e))}const Vs=["table","schema","prepare"]
function Xs(e,{table:t,schema:n}){const r={maxBytes:63,reserved:/^pg_/}
Bs(e,"table",t,{...r,suffix:Js})
if(void 0!==n)Bs(e,"schema",n,r)}function Zs(e,{key:t,value:n,version:r},o,i){const s=[t,n,r]
if(void 0===i)return null===o?[e.insert,s]:[e.update,[...s,o]]
const{id:a,text:c,keep:u,maxAge:d}=i
s.push(a,c(r),String(d))
return null===o?[e.outcomes.insert,s]:[e.outcomes.update,[...s,o,String(u)]]}function Qs(e){return`patch-options-${l.createHash("sha256").update(e).digest("base64url").slice(0,22)}`}function ea(e){const{schema:t}=e
const n=zs(e)
const r='floor(extract(epoch FROM "modified") * 1000)::text'
const o=`CREATE TABLE IF NOT EXISTS ${n} (\n  "key" text NOT NULL PRIMARY KEY,\n  "value" text NOT NULL,\n  "version" text NOT NULL,\n  "modified" timestamptz(3) NOT NULL\n)`
const i=void 0===t?[]:[`CREATE SCHEMA IF NOT EXISTS ${_s(t)}`]
const s=Ks(e,{resources:n,modified:r})
return{outcomes:s,probes:[`SELECT "key", "value", "version", "modified" FROM ${n} LIMIT 0`,s.probe],setup:[...i,o,s.setup],get:`SELECT "value", "version", ${r} AS "modified" FROM ${n} WHERE "key" = $1`,insert:`INSERT INTO ${n} ("key", "value", "version", "modified") VALUES ($1, $2, $3, now())\n  ON CONFLICT ("key") DO NOTHING RETURNING ${r} AS "modified"`,update:`UPDATE ${n} SET "value" = $2, "version" = $3, "modified" = now()\n  WHERE "key" = $1 AND "version" = $4 RETURNING ${r} AS "modified"`,delete:`DELETE FROM ${n} WHERE "key" = $1 RETURNING 1 AS "deleted"`,deleteVersion:`DELETE FROM ${n} WHERE "key" = $1 AND "version" = $2 RETURNING 1 AS "deleted"`}}function ta(e){if("object"!=typeof e||null===e||!("eval"in e))return
if("evalSha"in e)return"node-redis"
return"evalsha"in e?"ioredis":void 0}class RedisScript{text
sha
constructor(e){this.text=e
this.sha=l.createHash("sha1").update(e).digest("hex")}}function na(e){const[t,n]="evalSha"in e?ra(e):oa(e)
return async(e,r,o)=>{try{return await t(e.sha,r,o)}catch(t){if(!(t instanceof Error&&t.message.startsWith("NOSCRIPT")))throw t
return n(e.text,r,o)}}}function ra(e){return[(t,n,r)=>e.evalSha(t,{keys:[n],arguments:r}),(t,n,r)=>e.eval(t,{keys:[n],arguments:r})]}function oa(e){return[(t,n,r)=>e.evalsha(t,1,n,...r),(t,n,r)=>e.eval(t,1,n,...r)]}const ia="local function clock()\n  local time = redis.call('TIME')\n  return time[1] * 1000 + math.floor(time[2] / 1000)\nend"
const sa="local function parts(kept)\n  local number, expires, text = string.match(kept or '', '^(%d+) (%d+) (.*)$')\n  return tonumber(number), tonumber(expires), text\nend"
const aa={get:new RedisScript(`\n${ia}\n${sa}\nlocal stored = redis.call('HMGET', KEYS[1], 'value', 'version', 'modified')\nif not stored[2] then return false end\nif not (stored[1] and stored[3]) then return redis.error_reply('patch-options: the hash lacks value or modified') end\nif ARGV[1] then\n  local _, expires, text = parts(redis.call('HGET', KEYS[1], 'outcome:' .. ARGV[1]))\n  if expires and expires > clock() then stored[4] = text end\nend\nreturn stored`),replace:new RedisScript(`\n${ia}\n${sa}\nlocal condition, expected, value, version, id, text, keep, maxAge = unpack(ARGV)\nlocal stored = redis.call('HMGET', KEYS[1], 'version', 'modified', 'first', 'last')\nif stored[1] == version then return { stored[2] } end\nif condition == 'absent' and stored[1] then return false end\nif condition == 'version' and stored[1] ~= expected then return false end\nlocal now = clock()\n\nif id then\n  local _, expires = parts(redis.call('HGET', KEYS[1], 'outcome:' .. id))\n  if expires and expires > now then return false end\n\n  -- The oldest are forgotten while they are over their age; of those whose id was taken again, the number alone.\n  local first, last = tonumber(stored[3] or 1), tonumber(stored[4] or 0)\n  while first <= last do\n    local oldest = 'outcome:' .. (redis.call('HGET', KEYS[1], 'id:' .. first) or '')\n    local number, expires = parts(redis.call('HGET', KEYS[1], oldest))\n    if number == first and expires > now then\n      if last - first + 1 >= tonumber(keep) then return { '', string.format('%.0f', expires - now) } end\n      break\n    end\n    redis.call('HDEL', KEYS[1], 'id:' .. first)\n    if number == first then redis.call('HDEL', KEYS[1], oldest) end\n    first = first + 1\n  end\n\n  last = last + 1\n  redis.call('HSET', KEYS[1], 'first', first, 'last', last, 'id:' .. last, id,\n    'outcome:' .. id, string.format('%.0f %.0f ', last, now + maxAge) .. text)\nend\n\nlocal modified = string.format('%.0f', now)\nredis.call('HSET', KEYS[1], 'value', value, 'version', version, 'modified', modified)\nreturn { modified }`),delete:new RedisScript("\nlocal version = redis.call('HGET', KEYS[1], 'version')\nif not version or (ARGV[1] and ARGV[1] ~= version) then return false end\nredis.call('DEL', KEYS[1])\nreturn { version }")}
function ca(e){return"object"==typeof e&&null!==e&&["exec","prepare"].every(t=>"function"==typeof Reflect.get(e,t))}class OpenTransactionError extends Error{name="OpenTransactionError"
code="PATCH_OPTIONS_OPEN_TRANSACTION"
constructor(){super("SqliteStore did not write: its database handle is in a transaction of the host. Give the store a handle of its own.")}}function ua(e){const{inTransaction:t,isTransaction:n}=e
if(!0===t||!0===n)throw new OpenTransactionError}function da(e,t){e.exec("BEGIN IMMEDIATE")
try{const n=t()
e.exec(void 0===n?"ROLLBACK":"COMMIT")
return n}catch(t){try{e.exec("ROLLBACK")}catch{}throw t}}function fa(e,t){e.exec("SAVEPOINT patch_options")
const n=t()
e.exec(void 0===n?"ROLLBACK TO patch_options; RELEASE patch_options":"RELEASE patch_options")
return n}function la(e){if(e instanceof OpenTransactionError)return!0
const{code:t,errcode:n,message:r}=Object(e)
return"string"==typeof t&&t.startsWith("SQLITE_BUSY")||"number"==typeof n&&5==(255&n)||"ERR_SQLITE_ERROR"===t&&"database is locked"===r}function ha(e){const[t=0,n=0,r=0]=e.split(".").map(Number)
if(3!==t)return t<3
const o=new Map([[44,6],[50,7],[51,3]]).get(n)
return void 0===o?n<51:r<o}class GroupUndone extends Error{}class SqliteGroup{db
whenFree
#xe=[]
constructor(e,t){this.db=e
this.whenFree=t}commit(e){return new Promise((t,n)=>{this.#xe.push({...e,resolve:t,reject:n})
if(1===this.#xe.length)setImmediate(()=>void this.#Te())})}async#Te(){let e=this.#xe
this.#xe=[]
try{const t=await this.whenFree(()=>{ua(this.db)
e=e.filter(pa)
return this.#Se(e)})
e.forEach(({resolve:e},n)=>{e(t[n])})}catch(t){for(const n of e)if(t instanceof GroupUndone)this.#Ae(n)
else n.reject(t)}}#Ae(e){this.whenFree(()=>{ua(this.db)
return this.#Se([e])[0]},e.context).then(e.resolve,e.reject)}#Se(e){const[t,n]=e
if(void 0===t)return[]
if(void 0===n)return[!0===t.isCompound?da(this.db,t.run):t.run()]
return da(this.db,()=>this.#Ne(e))??[]}#Ne(e){try{return e.map(({run:e,isCompound:t})=>!0===t?fa(this.db,e):e())}catch(e){throw new GroupUndone("A write of the group has failed.",{cause:e})}}}function pa({context:e={},reject:t}){try{Ei(e)
return!0}catch(e){t(e)
return!1}}function ma(e,t,n,{id:r,text:o,keep:i,maxAge:s}){if(void 0!==e(t.find,[n,r]))return!1
e(t.evict,[n,n])
if(void 0===e(t.keep,[n,r,o,String(s),n,n,String(i)]))throw d.outcomesFull(Number(e(t.oldest,[n])?.[0]))
return!0}function ga(e){const[t,n]=[_s(e),_s(`${e}_outcomes`)]
const r="'%Y-%m-%dT%H:%M:%fZ', 'now'"
const o=`strftime(${r})`
const i=`SELECT number FROM ${n} WHERE key = ? ORDER BY number LIMIT 1`
const s=`SELECT number FROM ${n} WHERE key = ? ORDER BY number DESC LIMIT 1`
return{setup:`CREATE TABLE IF NOT EXISTS ${n} (\n  key TEXT NOT NULL REFERENCES ${t} (key) ON DELETE CASCADE ON UPDATE CASCADE,\n  number INTEGER NOT NULL,\n  id TEXT NOT NULL,\n  outcome TEXT NOT NULL,\n  expires TEXT NOT NULL,\n  PRIMARY KEY (key, number),\n  UNIQUE (key, id)\n) WITHOUT ROWID`,join:`LEFT JOIN ${n} AS kept ON kept.key = ${t}.key AND kept.id = ? AND kept.expires > ${o}`,find:`SELECT 1 FROM ${n} WHERE key = ? AND id = ? AND expires > ${o}`,evict:`DELETE FROM ${n} WHERE key = ? AND number < coalesce((\n  SELECT number FROM ${n} WHERE key = ? AND expires > ${o} ORDER BY number LIMIT 1\n), ${Number.MAX_SAFE_INTEGER}) RETURNING 1`,keep:`INSERT INTO ${n} (key, number, id, outcome, expires)\n  SELECT ?, coalesce(last, 0) + 1, ?, ?, strftime(${r}, ? || ' seconds')\n  FROM (SELECT (${i}) AS first, (${s}) AS last)\n  WHERE coalesce(last - first + 1, 0) < CAST(? AS INTEGER)\n  ON CONFLICT (key, id) DO UPDATE SET number = excluded.number, outcome = excluded.outcome, expires = excluded.expires\n  RETURNING 1`,oldest:`SELECT round((julianday(expires) - julianday('now')) * 86400, 3) FROM ${n} WHERE key = ? ORDER BY number LIMIT 1`,forget:`DELETE FROM ${n} WHERE key = ? RETURNING 1`}}const wa=["table","busyTimeout","acceptWalResetFault"]
const ya={maxBytes:1/0,reserved:/^sqlite_/i}
function va(e,t){const n=new OptionsCheck("new SqliteStore()")
if(!ca(e)){const t="Give the open database of node:sqlite or better-sqlite3."
n.mistake("db",e,"is no database handle",t)}n.names(t,wa)
Bs(n,"table",t.table,ya)
const{busyTimeout:r=0}=t
if(!Number.isFinite(r)||r<0)n.mistake("busyTimeout",r,"is no length of time","Give milliseconds, 0 for no wait.")
if(ca(e)&&!0!==t.acceptWalResetFault){const[t]=e.prepare("SELECT sqlite_version(), journal_mode FROM pragma_journal_mode()").all()
const[r="",o]=Ys(t)
if("wal"===o&&ha(r)){const e="is a release of SQLite that can lose commits to a file in WAL mode"
const t="Take 3.51.3 or later, another journal_mode, or the option acceptWalResetFault: true."
n.mistake("db",r,e,t)}}n.done()}function ba(e){const[t,n]=[_s(e),ga(e)]
const r="strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
return{outcomes:n,setup:`CREATE TABLE IF NOT EXISTS ${t} (\n  key TEXT NOT NULL PRIMARY KEY,\n  value TEXT NOT NULL,\n  version TEXT NOT NULL,\n  modified TEXT NOT NULL\n);\n${n.setup};\n`,get:`SELECT value, version, modified FROM ${t} WHERE key = ?`,getOutcome:`SELECT value, version, modified, outcome FROM ${t} ${n.join} WHERE ${t}.key = ?`,insert:`INSERT INTO ${t} (key, value, version, modified) VALUES (?, ?, ?, ${r})\n  ON CONFLICT (key) DO NOTHING RETURNING modified`,update:`UPDATE ${t} SET value = ?, version = ?, modified = ${r}\n  WHERE key = ? AND version = ? RETURNING modified`,delete:`DELETE FROM ${t} WHERE key = ? RETURNING 1`,deleteVersion:`DELETE FROM ${t} WHERE key = ? AND version = ? RETURNING 1`}}exports.ProblemError=d.ProblemError
exports.outcomesFull=d.outcomesFull
exports.ConfigurationError=ConfigurationError
exports.MemoryStore=class MemoryStore{keepsOutcomes=!0
#$e=new Map
get(e,t={}){return qs(()=>{Ei(t)
const n=this.#$e.get(e)
if(void 0===n)return
const{outcome:r}=t
const o=r&&n.outcomes?.find(r.id)
return void 0===o?Ws(n):{...Ws(n),outcome:o}})}replace(e,t,n,r={}){return qs(()=>{Ei(r)
if(!Ms(e)||!this.#Re(e,t))return
const o=Hs()
const i=Ns(n)
const{outcome:s}=r
let a=this.#$e.get(e)?.outcomes
if(void 0!==s){a??=new KeptOutcomes
if(void 0!==a.find(s.id))return
a.makeRoom(s.keep)
a.keep(s,o)}const c={value:i,version:o,modified:Date.now(),outcomes:a}
this.#$e.set(e,c)
return Ws(c)})}delete(e,t){return qs(()=>(void 0===t||this.#Re(e,t))&&this.#$e.delete(e))}*entries(){for(const[e,t]of this.#$e)yield[e,Ws(t)]}#Re(e,t){return(this.#$e.get(e)?.version??null)===t}}
exports.NotJsonError=NotJsonError
exports.PatchError=PatchError
exports.PostgresStore=class PostgresStore{keepsOutcomes=!0
#Ce
#Pe
#Le
#Ie=new Map
constructor(e,t){const n=new OptionsCheck("new PostgresStore()")
if(!Gs(e))n.mistake("pool",e,"has no method query","Give a Pool of pg.")
n.names(t,Vs)
Xs(n,t)
n.done()
this.#Ce=e
this.#Pe=ea(t)
this.#Le=t.prepare??!0}async setup(){const e=async()=>{for(const e of this.#Pe.probes)await this.#Ce.query({text:e})}
await Fs(async()=>{try{await e()}catch(t){if(!Us.isMissing(t))throw t
for(const e of this.#Pe.setup)await this.#Ce.query({text:e})
await e()}},Us.isSetupRace)}static setupSql(e){const t=new OptionsCheck("PostgresStore.setupSql()")
t.names(e,Vs)
Xs(t,e)
t.done()
return ea(e).setup.map(e=>`${e};\n`).join("")}async get(e,t={}){if(!Ms(e))return
const{outcome:n}=t
const r=void 0===n?await this.#Me(this.#Pe.get,[e],t):await this.#Me(this.#Pe.outcomes.get,[e,n.id],t)
if(void 0===r)return
const[o="",i="",s,a]=r
return As(o,i,new Date(Number(s)),a)}async replace(e,t,n,r={}){if(!Ms(e,t))return
const o=Ss(n,r.maxBytes)
const i=Hs()
const[s,a]=Zs(this.#Pe,{key:e,value:o,version:i},t,r.outcome)
const c=await this.#Me(s,a,r)
if(void 0===c)return
const[u,f]=c
if(void 0===u)throw d.outcomesFull(Number(f))
return As(o,i,new Date(Number(u)))}async delete(e,t){if(!Ms(e,t))return!1
return void 0!==(void 0===t?await this.#Me(this.#Pe.delete,[e]):await this.#Me(this.#Pe.deleteVersion,[e,t]))}async#Me(e,t,n={}){const r=this.#Le?{name:this.#je(e),text:e,values:t}:{text:e,values:t}
const{rows:o}=await Fs(()=>{Ei(n)
return this.#Ce.query(r)},Us.isSerializationFailure)
const[i]=o
return void 0===i?void 0:Ys(i)}#je(e){let t=this.#Ie.get(e)
if(void 0===t)this.#Ie.set(e,t=Qs(e))
return t}}
exports.RedisStore=class RedisStore{keepsOutcomes=!0
#He
#We
constructor(e,t){const n=new OptionsCheck("new RedisStore()")
if(void 0===ta(e)){const t="Give a Redis or Cluster of ioredis, or what createClient or createCluster of redis made."
n.mistake("client",e,"is no client that runs scripts",t)}n.names(t,["prefix"])
const{prefix:r}=t
if("string"!=typeof r)n.mistake("prefix",r,"is no string","Give what the keys begin with: 'notes:'.")
else if(!js(r))n.mistake("prefix",r,"holds a NUL or a lone surrogate","Leave it out.")
n.done()
this.#He=na(e)
this.#We=r}async get(e,t={}){if(!Ms(e))return
const n=void 0===t.outcome?[]:[t.outcome.id]
const r=await this.#qe(aa.get,e,n,t)
if(void 0===r)return
const[o="",i="",s,a]=r
return As(o,i,new Date(Number(s)),a)}async replace(e,t,n,r={}){if(!Ms(e,t))return
const o=Ss(n,r.maxBytes)
const i=Hs()
const s=[...null===t?["absent",""]:["version",t],o,i]
const{outcome:a}=r
if(void 0!==a){const{id:e,text:t,keep:n,maxAge:r}=a
s.push(e,t(i),String(n),String(1e3*r))}const c=await this.#qe(aa.replace,e,s,r)
if(void 0===c)return
const[u,f]=c
if(void 0!==f)throw d.outcomesFull(Number(f)/1e3)
return As(o,i,new Date(Number(u)))}async delete(e,t){if(!Ms(e,t))return!1
const n=void 0===t?[]:[t]
return void 0!==await this.#qe(aa.delete,e,n)}async#qe(e,t,n,r={}){Ei(r)
const o=await this.#He(e,this.#We+t,n)
return Array.isArray(o)?o.map(String):void 0}}
exports.SqliteStore=class SqliteStore{keepsOutcomes=!0
#Ge
#De
#Pe
#Ue
#Fe=new Map
constructor(e,t){va(e,t)
this.#Ge=e
this.#De=t.busyTimeout??5e3
this.#Pe=ba(t.table)
this.#Ue=new SqliteGroup(e,(e,t)=>this.#Be(e,t))}async setup(){await this.#Be(()=>this.#Ge.exec(this.#Pe.setup))
await this.get("",{outcome:{id:""}})}static setupSql(e){const t=new OptionsCheck("SqliteStore.setupSql()")
t.names(e,wa)
Bs(t,"table",e.table,ya)
t.done()
return ba(e.table).setup}async get(e,t={}){if(!Ms(e))return
const{outcome:n}=t
const r=await this.#Be(()=>void 0===n?this.#Me(this.#Pe.get,[e]):this.#Me(this.#Pe.getOutcome,[n.id,e]),t)
if(void 0===r)return
const[o="",i="",s="",a]=r
return As(o,i,new Date(s),a)}async replace(e,t,n,r={}){if(!Ms(e,t))return
const{maxBytes:o,outcome:i}=r
const s=Ss(n,o)
const a=Hs()
const c=()=>null===t?this.#Me(this.#Pe.insert,[e,s,a]):this.#Me(this.#Pe.update,[s,a,e,t])
const u=t=>{const n=c()
if(void 0===n)return
return ma(this.#Me,this.#Pe.outcomes,e,t)?n:void 0}
const d=i&&{...i,text:i.text(a)}
const f=await this.#Ue.commit(void 0===d?{run:c,context:r}:{run:()=>u(d),isCompound:!0,context:r})
return f&&As(s,a,new Date(f[0]??""))}async delete(e,t){if(!Ms(e,t))return!1
return void 0!==await this.#Ue.commit({run:()=>{const n=void 0===t?this.#Me(this.#Pe.delete,[e]):this.#Me(this.#Pe.deleteVersion,[e,t])
if(void 0!==n)this.#Me(this.#Pe.outcomes.forget,[e])
return n},isCompound:!0})}#Me=(e,t)=>{const[n]=this.#_e(e).all(...t)
return void 0===n?void 0:Ys(n)}
#_e(e){const t=this.#Fe.get(e)
if(void 0!==t)return t
const n=this.#Ge.prepare(e)
this.#Fe.set(e,n)
return n}async#Be(e,t={}){const n=performance.now()+this.#De
for(let r=1;;r=Math.min(2*r,64)){Ei(t)
try{return e()}catch(e){if(!la(e)||performance.now()>=n)throw e}await f.setTimeout(r*Math.random())}}}
exports.cachedStore=function cachedStore(e,t){Is(e,t)
const n=new StoreCache(e,t.max)
const r={...d.keepsOutcomes(e)&&{keepsOutcomes:!0},...e.setup&&{setup:()=>e.setup?.()},...e.delete&&{delete:(...t)=>n.write(t[0],async()=>e.delete?.(...t))}}
return Object.assign(n,r)}
exports.checkPreconditions=function checkPreconditions(e,t,n={}){const{entityTag:r=entityTag,precondition:o="optional",weakMatch:i=!1}=n
const s=void 0===t?void 0:{tag:r(t),modified:t.modified}
const a="GET"===e.method||"HEAD"===e.method
try{const t=cr(e.headers,a)
if(!a&&"required"===o)gr(t)
return pr(t,s,{safe:a,weakMatch:i})}catch(e){if(e instanceof d.ProblemError)return e
throw e}}
exports.corsPreflight=corsPreflight
exports.declareMethods=function declareMethods(e,t){Le(e,t)
const n=(...e)=>t(...e)
if("function"==typeof e)return Object.defineProperty(n,Re,{value:e,enumerable:!0})
return ae(n,$e,e.includes("GET")?[...e,"HEAD"]:e)}
exports.entityTag=entityTag
exports.jsonPatch=function jsonPatch(){return{mediaType:"application/json-patch+json",parse(e,{limits:t}){const n=Yr(po(e,t.depth),t)
return e=>wo(e,n,t)}}}
exports.mergePatch=function mergePatch(e={}){const t=new OptionsCheck("mergePatch()")
t.names(e,["mediaType"])
const{mediaType:n="application/merge-patch+json"}=e
vo("mediaType",n,t)
t.done()
return{mediaType:n,parse(e,{limits:t}){const n=po(e,t.depth)
return e=>Oo(e,n)}}}
exports.methodNotAllowed=function methodNotAllowed(e={}){br(e)
const{errors:t}=e
const n=wt(e)
return function methodNotAllowed(e,r,o){const{method:i="GET"}=e
if("OPTIONS"===i||r.headersSent){o()
return}const s=n(e,methodNotAllowed)
const a=s?.routes.methods?.methods
if(void 0===a||a.includes(i)){o()
return}const c=a.join(", ")
vr("%s %s: 405, allowed are %s",i,e.url,c)
const u=`${i} is not allowed on this target. Allowed are ${c}.`
const f=new d.ProblemError(405,"method-not-allowed",u,{headers:{Allow:c}})
if("next"===t)o(f)
else sendProblem(r,f)}}
exports.optionsHandler=optionsHandler
exports.optionsListener=function optionsListener(e,t={}){const n=new OptionsCheck("optionsListener()")
n.names(t,gs)
const r=ws({...t,root:bs(e,t,n)},n)
n.done()
const o=vs(r())
return(t,n)=>{o(t,n,r=>{if(void 0===r)e(t,n)
else Es(n,r)})}}
exports.patchHandler=function patchHandler(e,t,n={}){const r=Ki(e,t,n)
return fe((e,t,n)=>{if("PATCH"!==e.method)n()
else if(ms(e)){const o=new Client(t)
ls(r,e,t,o).catch(i=>{hs(r,i,{req:e,res:t,next:n,client:o})})}else n(new TypeError("patchHandler was called outside a route. Mount it: app.patch(path, patchHandler(…))."))},r.formats.acceptPatch)}
exports.patchOptions=function patchOptions(e={}){const t=new OptionsCheck("patchOptions()")
t.names(e,[...gs,"resources"])
const{resources:n,...r}=e
const o=ws(r,t)
if(void 0!==n)Os(n,t)
t.done()
const i=o()
if(void 0!==n)return ks(i,n)
return rt(vs(i),i)}
exports.sendProblem=sendProblem

"use strict"
Object.defineProperty(exports,Symbol.toStringTag,{value:"Module"})
const e=require("node:assert/strict")
const t=require("node:crypto")
const a=require("node:util")
const o=require("node:timers/promises")
const n=require("./outcome-store.js")
require("node:http")
const s=(e=>e&&e.__esModule?e:{default:e})(e)
async function i(e,a){const o=await e()
try{const e=await o.open()
await a({store:e,key:`conformance/${t.randomUUID()}`,another:async()=>o.open()})}finally{await(o.close?.())}}async function r(e,t){const a=await e.get(t)
s.default.ok(a,`get(${f(t)}) found nothing`)
return a}async function c(e,t,a){const o=await e.replace(t,null,a)
s.default.ok(o,`replace(${f(t)}, null, …) wrote nothing, though the key was absent`)
return o}async function l(e,t,{version:a},o){const n=await e.replace(t,a,o)
s.default.ok(n,`replace(${f(t)}, …) wrote nothing, though the version was the present one`)
return n}function u(e,t){const[a,o]=[JSON.stringify(t),JSON.stringify(e)]
s.default.ok(o===a,`${f(t)} came back as ${f(e)}`)}function d(e){if("object"!=typeof e||null===e)return
for(const t of Object.values(e))d(t)
w.get(e)?.()
try{if(Array.isArray(e))e.push("changed")
else Object.assign(e,{changed:!0})}catch{return}}const w=new WeakMap
function f(e){return a.inspect(e,{depth:2,breakLength:1/0,maxArrayLength:5,maxStringLength:100})}const h={"an absent key: get is undefined, and a replace with a version writes nothing":async({store:e,key:t})=>{s.default.equal(await e.get(t),void 0)
s.default.equal(await e.replace(t,"a version",1),void 0)
s.default.equal(await e.replace(t,"",1),void 0)
s.default.equal(await e.get(t),void 0)},"null writes only while the key is absent":async({store:e,key:t})=>{await c(e,t,"first")
s.default.equal(await e.replace(t,null,"second"),void 0)
u((await r(e,t)).value,"first")},"a version that is not the present one writes nothing":async({store:e,key:t})=>{const a=await c(e,t,1)
const o=await l(e,t,a,2)
const n=[a.version,`${o.version} `,o.version.slice(0,-1),"","*","%","' OR 1=1 --"]
for(const a of n)s.default.equal(await e.replace(t,a,3),void 0,a)
u((await r(e,t)).value,2)},"replace returns what get then returns":async({store:e,key:t})=>{for(const a of[()=>c(e,t,{a:[1]}),async()=>l(e,t,await r(e,t),{a:[2]})]){const o=await a()
const n=await r(e,t)
u(o.value,n.value)
s.default.equal(o.version,n.version)
s.default.equal(o.modified?.getTime(),n.modified?.getTime())}},"a write leaves every other key alone":async({store:e,key:t})=>{const a=await c(e,`${t}/other`,"other")
await l(e,t,await c(e,t,1),2)
s.default.equal((await r(e,`${t}/other`)).version,a.version)}}
const y={"aborted before the write: the reason is thrown, and nothing is written":async({store:e,key:t})=>{const a=new Error("the client has gone")
const o=AbortSignal.abort(a)
const n=e=>e===a
await s.default.rejects(e.replace(t,null,1,{signal:o}),n)
s.default.equal(await e.get(t),void 0)
const{version:i}=await c(e,t,1)
await s.default.rejects(e.replace(t,i,2,{signal:o}),n)
u((await r(e,t)).value,1)},"a signal that is not aborted changes nothing":async({store:e,key:t})=>{const{signal:a}=new AbortController
const o=await e.replace(t,null,1,{signal:a})
s.default.ok(o,"wrote nothing, though the key was absent")
u((await e.get(t,{signal:a}))?.value,1)},"over maxBytes: a 413 problem, and nothing is written; or all of it":async({store:e,key:t})=>{const{version:a}=await c(e,t,"before")
const o=await v(e,t,a)
u((await r(e,t)).value,void 0===o?"before":"é")},"at maxBytes, counted as UTF-8: written":async({store:e,key:t})=>{const a=await e.replace(t,null,"é",{maxBytes:4})
s.default.ok(a,"wrote nothing, though the key was absent")}}
async function v(e,t,a){try{const o=await e.replace(t,a,"é",{maxBytes:3})
s.default.ok(o,"wrote nothing, though the version was the present one")
return o}catch(e){const{status:t,code:a}=Object(e)
s.default.deepEqual({status:t,code:a},{status:413,code:"limit-result"},String(e))
return}}const m={"letter case":["a","A"],"spaces around them":["a","a "," a","a\t","a\n"],"accents and compositions":["é","é","e","É"],"unicode beyond the first plane":["😀","😁","􏿿","�","￿"],"quotes and backslashes":["'","''",'"','""',"`","\\","\\\\","\\'","'; DROP TABLE resources; --"],"patterns and placeholders":["%","%%","_","*","?","[a]","$1",":1","{a}","{a}b","{","#{a}"],"percent-encoding, slashes and dots":["/","%2F","//","./","../","a/b","a%2fb","a.b"],"newlines and other controls":["\n","\r\n","\r","","","\u2028"],"inherited names":["__proto__","constructor","toString","hasOwnProperty"],"a length of 1 KB":["k".repeat(1023),"k".repeat(1024),`${"k".repeat(1023)}l`,"é".repeat(512)]}
const g={"a NUL":["a\0","a\0b","\0","a"],"lone surrogates":["\ud800","\ud801","\udc00","�"],"a length of 100 KB":["k".repeat(1e5),`${"k".repeat(99999)}l`]}
const p={...k("tells keys apart by",m,async({store:e,key:t},a)=>{const o=a.map((e,a)=>({at:t+e,place:a}))
for(const{at:t,place:a}of o)await c(e,t,a)
for(const{at:t,place:a}of o){const o=await r(e,t)
u(o.value,a)
await l(e,t,o,a+100)}for(const{at:t,place:a}of o)u((await r(e,t)).value,a+100)}),...k("holds keys, or has them absent, with",g,async({store:e,key:t},a)=>{const o=a.map((e,a)=>({at:t+e,place:a}))
const n=new Set
for(const{at:t,place:a}of o){s.default.equal(await e.get(t),void 0,"a key was there that nobody had written")
s.default.equal(await e.replace(t,"a version",a),void 0)
if(await e.replace(t,null,a))n.add(t)}for(const{at:t,place:a}of o){const o=await e.get(t)
s.default.equal(void 0!==o,n.has(t),"get and replace disagree on whether a key is held")
if(void 0!==o)u(o.value,a)}}),"the empty key is a key like any other, or absent":async({store:e})=>{const t=await e.get("")
const a=await e.replace("",t?.version??null,{empty:!0})
s.default.equal((await e.get(""))?.version,a?.version)}}
function k(e,t,a){const o=Object.entries(t).map(([t,o])=>[`${e} ${t}`,e=>a(e,o)])
return Object.fromEntries(o)}const b=function(e){const t=Object.entries(e).map(([e,t])=>[e,async e=>{if(!0===e.store.keepsOutcomes)await t(e)}])
return Object.fromEntries(t)}({"an outcome is found under its id and key, by every instance, where it is asked for":async e=>{const{store:t,key:a,another:o}=e
await $(t,a,q("a"))
await c(t,`${a}/other`,0)
for(const e of[t,await o()]){s.default.equal(await O(e,a,"a"),"of a")
s.default.equal(await O(e,a,"b"),void 0,"an outcome was found under another id")
s.default.equal(await O(e,`${a}/other`,"a"),void 0,"one was found at another key")
s.default.equal((await e.get(a))?.outcome,void 0,"one was given that nobody asked for")}},"outcomes stay when the resource moves on":async({store:e,key:t})=>{for(const a of["a","b","c"])await $(e,t,q(a))
await $(e,t)
for(const a of["a","b","c"])s.default.equal(await O(e,t,a),`of ${a}`)
u((await r(e,t)).value,4)},"the text is made of the version that is written, and comes back as it is":async({store:e,key:t})=>{const a=" \"'\\ é􏿿 $1 %s \n {} "
const o="x".repeat(64)
const n=await $(e,t,q(o,{text:e=>a+e+a}))
s.default.equal(await O(e,t,o),a+n.version+a)},"a write that is not carried out keeps no outcome":async({store:e,key:t})=>{const a={outcome:q("a")}
s.default.equal(await e.replace(t,"a version",1,a),void 0)
await c(e,t,0)
s.default.equal(await e.replace(t,"a version",1,a),void 0)
s.default.equal(await e.replace(t,null,1,a),void 0)
s.default.equal(await O(e,t,"a"),void 0)},"what text throws is thrown, and nothing is written":async({store:e,key:t})=>{const{version:a}=await c(e,t,0)
const o=new Error("no text")
const n=e.replace(t,a,1,{outcome:q("a",{text:()=>{throw o}})})
await s.default.rejects(n,e=>e===o)
s.default.equal((await r(e,t)).version,a)},"an id is written once, whatever the version":async({store:e,key:t,another:a})=>{await $(e,t,q("a"))
for(const o of[e,await a()]){const{version:e}=await r(o,t)
const a=q("a",{text:()=>"again"})
s.default.equal(await o.replace(t,e,"again",{outcome:a}),void 0)}u((await r(e,t)).value,1)
s.default.equal(await O(e,t,"a"),"of a")},"of 50 at once that add under one id exactly one adds":async({store:e,key:t,another:a})=>{await c(e,t,0)
const o=[e,await a()]
const n=Array.from({length:25},()=>o.map(e=>x(e,t,50)))
const i=(await Promise.all(n.flat())).filter(Boolean)
s.default.equal(i.length,1,`${i.length} of 50 added`)
u((await r(e,t)).value,1)},"where keep is reached: a 503 problem with Retry-After, and nothing is written":async({store:e,key:t})=>{for(const a of["a","b"])await $(e,t,q(a,{keep:2,maxAge:3600}))
const{version:a}=await r(e,t)
const o=e.replace(t,a,"over",{outcome:q("c",{keep:2})})
await s.default.rejects(o,e=>{const{status:t,code:a,headers:o}=e
const n=Number(Reflect.get(Object(o),"Retry-After"))
s.default.deepEqual({status:t,code:a},{status:503,code:"outcomes-full"},String(e))
s.default.ok(n>3e3&&n<=3600,`Retry-After is ${n}, where the oldest has an hour`)
return!0})
s.default.equal((await r(e,t)).version,a)
await $(e,t)
await $(e,t,q("c",{keep:3}))
for(const a of["a","b","c"])s.default.equal(await O(e,t,a),`of ${a}`)},"over its age an outcome is gone, and its place and its id are free":async({store:e,key:t})=>{await $(e,t,q("a",{maxAge:1}))
await $(e,t,q("b",{maxAge:1}))
await o.setTimeout(1100)
s.default.equal(await O(e,t,"a"),void 0,"an outcome outlived its age")
await $(e,t,q("c",{keep:2}))
await $(e,t,q("b",{keep:2,text:()=>"of another b"}))
s.default.equal(await O(e,t,"b"),"of another b")
s.default.equal(await O(e,t,"c"),"of c")},"deletion forgets outcomes":async({store:e,key:t})=>{await $(e,t,q("a"))
if(void 0===e.delete)return
await e.delete(t)
s.default.equal(await e.get(t,{outcome:{id:"a"}}),void 0)
await c(e,t,0)
s.default.equal(await O(e,t,"a"),void 0,"an outcome outlived deletion")
await $(e,t,q("a",{keep:1}))}})
function q(e,t={}){return{id:e,text:()=>`of ${e}`,keep:10,maxAge:3600,...t}}async function $(e,t,a){const o=await e.get(t)
const n=Number(o?.value??0)+1
const i=void 0===a?{}:{outcome:a}
const r=await e.replace(t,o?.version??null,n,i)
s.default.ok(r,"replace wrote nothing, though the version was the present one and the id a new one")
return r}async function O(e,t,a){return(await e.get(t,{outcome:{id:a}}))?.outcome}async function x(e,t,a){for(let o=a;o>0;o--){const a=await e.get(t,{outcome:{id:"one"}})
s.default.ok(a,"the key was gone")
if(void 0!==a.outcome)return!1
const o={outcome:q("one")}
if(await e.replace(t,a.version,Number(a.value)+1,o))return!0}s.default.fail("replace wrote nothing again and again, and get gave no outcome that would say why")}const S={"of 50 replaces at once with one expected version exactly one writes":async({store:e,key:t,another:a})=>{const{version:o}=await c(e,t,"before")
await j([e,await a()],t,o)},"of 50 creations at once exactly one writes":async({store:e,key:t,another:a})=>{await j([e,await a()],t,null)},"instances over one engine see each other":async({store:e,key:t,another:a})=>{const o=await a()
const n=await c(e,t,"here")
s.default.equal((await r(o,t)).version,n.version)
const i=await o.replace(t,n.version,"there")
s.default.ok(i,"the other instance could not write over the version of the first")
s.default.equal((await r(e,t)).version,i.version)
s.default.equal(await e.replace(t,n.version,"here again"),void 0)},"no update is lost among four that count at once":async({store:e,key:t,another:a})=>{await c(e,t,0)
const o=[e,await a(),e,await a()]
await Promise.all(o.map(e=>B(e,t,10,40)))
u((await r(e,t)).value,40)}}
async function j(e,t,a){const o=Array.from({length:25},(o,n)=>e.map((e,o)=>e.replace(t,a,{attempt:n,instance:o})))
const n=(await Promise.all(o.flat())).filter(e=>void 0!==e)
s.default.equal(n.length,1,`${n.length} of 50 wrote`)
const[i]=n
for(const a of e){const e=await r(a,t)
s.default.equal(e.version,i?.version)
u(e.value,i?.value)}}async function B(e,t,a,o){let n=0
for(let i=0;n<a;i++){s.default.ok(i<o,"replace wrote nothing again and again, though nobody else had written")
const{value:a,version:c}=await r(e,t)
if(await e.replace(t,c,Number(a)+1))n+=1}}const A={"with mayBeStale: a state that was there, the value under its own version":async e=>{const{store:t,key:a,another:o}=e
const n=await c(t,a,"first")
await t.get(a,{mayBeStale:!0})
const i=await l(await o(),a,n,"second")
const r=await t.get(a,{mayBeStale:!0})
if(void 0===r)return
const d=new Map([[n.version,"first"],[i.version,"second"]])
s.default.ok(d.has(r.version),"the version is one that the key never had")
u(r.value,d.get(r.version))},"without mayBeStale: the present state, whatever was given with it":async({store:e,key:t,another:a})=>{const o=await c(e,t,"first")
await e.get(t,{mayBeStale:!0})
const n=await l(await a(),t,o,"second")
await e.get(t,{mayBeStale:!0})
s.default.equal((await r(e,t)).version,n.version)},"what a caller does to a value is not what is remembered of it":async({store:e,key:t})=>{const a={list:[1],member:{a:1}}
const o=await c(e,t,a)
const n=o.modified?.getTime()
d(a)
for(const a of[o,await r(e,t),await e.get(t,{mayBeStale:!0})]){d(a?.value)
a?.modified?.setTime(0)
const o=await e.get(t,{mayBeStale:!0})
if(void 0===o)continue
u(o.value,{list:[1],member:{a:1}})
s.default.equal(o.modified?.getTime(),n)}}}
function N(e,{wrap:t,unwrap:a}){const o=e=>{if(void 0===e)return
const t=JSON.parse(a(e.value))
_(t,e.value)
return{...e,value:t}}
return{get:async(t,a)=>o(await e.get(t,a)),async replace(a,n,s,i={}){const r=JSON.stringify(s)
const c=t(r)
_(s,c)
return o(await e.replace(a,n,c,{...i,...E(i,r,c)}))},...n.keepsOutcomes(e)&&{keepsOutcomes:!0},...e.delete&&{delete:async(t,a)=>e.delete?.(t,a)}}}function _(e,t){if("object"==typeof e&&null!==e)w.set(e,()=>{T(t)})}function T(e){if("object"!=typeof e||null===e)return
for(const[t,a]of Object.entries(e))if("string"==typeof a)Reflect.set(e,t,'"changed"')
else T(a)}function E({maxBytes:e},t,a){if(void 0===e)return{}
return{maxBytes:e+Buffer.byteLength(JSON.stringify(a))-Buffer.byteLength(t)}}const z={"null, booleans, zero and empty containers":()=>[null,!0,!1,0,"",[],{},[[]],[{}]],"null alone":()=>null,"false alone":()=>!1,"the empty string alone":()=>"","zero alone":()=>0,"numbers at their limits":()=>[2**53-1,-9007199254740991,1e308,-1e308,5e-324,.1+.2,1e21,1e-7],"NUL in strings and names":()=>({"a\0b":"c\0","\0":"\0"}),"lone surrogates in strings and names":()=>({"\ud800":"\udfff",pair:"😀",reversed:"\udc00\ud800"}),"control characters, quotes and backslashes":()=>["\u2028\u2029","\"'`","\\","\\u0000","\r\n\t"],"unicode, not normalized":()=>["é","é","􏿿","\ufeff","�","￿"],"__proto__ and other inherited names as plain members":()=>JSON.parse('{"__proto__":{"admin":true},"constructor":1,"toString":null,"hasOwnProperty":[],"toJSON":2}'),"the order of members":()=>({z:1,a:{y:1,b:2},m:3,A:4,"":5}),"names with dots, dollars and the look of an index":()=>({"a.b":1,$set:2,$where:{$ne:null},7:3,"07":4}),"strings that look like something else":()=>["2020-01-01T00:00:00.000Z","1","null",'{"a":1}',"[]","NaN"],"a string of 1 MB":()=>"aé€".repeat(17e4),"a thousand members":()=>Object.fromEntries(Array.from({length:1e3},(e,t)=>[`m${t}`,[t]])),"64 levels of nesting":()=>J(64)}
const L={...Object.fromEntries(Object.entries(z).map(([e,t])=>[`keeps ${e}`,async({store:e,key:a,another:o})=>{const n=await c(e,a,t())
u(n.value,t())
u((await r(await o(),a)).value,t())
u((await l(e,a,n,[t()])).value,[t()])
u((await r(e,a)).value,[t()])}])),"a value that its writer changes afterwards does not change the store":async({store:e,key:t})=>{const a={list:[1],member:{a:1}}
const o=await c(e,t,a)
d(a)
u((await r(e,t)).value,{list:[1],member:{a:1}})
u(o.value,{list:[1],member:{a:1}})},"a value that its reader changes does not change the store":async({store:e,key:t})=>{const a=await c(e,t,{list:[1],member:{a:1}})
for(const{value:o,modified:n}of[a,await r(e,t)]){d(o)
n?.setTime(0)
const a=await r(e,t)
u(a.value,{list:[1],member:{a:1}})
s.default.notEqual(a.modified?.getTime(),0,"modified was changed with the Date that get returned")}}}
function J(e){let t="the innermost"
for(let a=0;a<e;a++)t=a%2==0?[t]:{value:t}
return t}const P={"no version comes twice, also for equal values":async({store:e,key:t})=>{const a=new Set
let o=await c(e,t,"same")
for(let n=0;n<50;n++){a.add(o.version)
o=await l(e,t,o,"same")}a.add(o.version)
s.default.equal(a.size,51,`51 writes made ${a.size} versions`)},"no version comes twice, also after deletion":async({store:e,key:t})=>{const a=new Set
for(let o=0;o<5;o++){const o=await c(e,t,"same")
const{version:n}=await l(e,t,o,"same")
a.add(o.version).add(n)
if(void 0===e.delete)return
await e.delete(t)
s.default.equal(await e.get(t),void 0,"the key was there after delete")
s.default.equal(await e.replace(t,n,"late"),void 0,"a version outlived delete")}s.default.equal(a.size,10,`10 writes made ${a.size} versions`)},"delete with a version deletes only that version":async({store:e,key:t})=>{if(void 0===e.delete)return
const a=await c(e,t,1)
const o=await l(e,t,a,2)
await e.delete(t,a.version)
s.default.equal((await r(e,t)).version,o.version)
await e.delete(t,o.version)
s.default.equal(await e.get(t),void 0)},"modified, where there is one, is the present time":async({store:e,key:t})=>{const{modified:a}=await c(e,t,1)
if(void 0===a)return
const o=Math.abs(a.getTime()-Date.now())
s.default.ok(o<18e5,`modified is ${a.toISOString()}, ${o} ms from here`)}}
function R(e,t){return async()=>{const a=await e()
return{open:async()=>N(await a.open(),t),close:()=>a.close?.()}}}exports.storeConformance=function storeConformance(e,t){const a={...{...h,...S,...P,...L},...{...p,...y,...A,...b}}
const o=void 0===t?e:R(e,t)
return Object.entries(a).map(([e,t])=>({name:e,run:()=>i(o,t)}))}

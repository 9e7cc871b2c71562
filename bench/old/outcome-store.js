"use strict"
const e={...require("node:http").STATUS_CODES,413:"Content Too Large",422:"Unprocessable Content"}
class ProblemError extends Error{name="ProblemError"
status
code
headers
problem
constructor(t,r,s,o={}){super(s,"cause"in o?{cause:o.cause}:void 0)
this.status=t
this.code=r
this.headers=o.headers??{}
this.problem={status:t,title:e[t]??"Error",detail:s,code:r,...o.extensions}}}exports.ProblemError=ProblemError
exports.keepsOutcomes=function keepsOutcomes(e){return"keepsOutcomes"in e&&!0===e.keepsOutcomes}
exports.outcomesFull=function outcomesFull(e){return new ProblemError(503,"outcomes-full","This resource holds the outcomes of as many requests as it may, and no answer that may yet be asked for again is forgotten; nothing was written. Send the request again, with the same Idempotency-Key, when Retry-After is over.",{headers:{"Retry-After":String(Math.max(1,Math.ceil(e)))}})}

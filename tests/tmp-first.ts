import { startServer, temporaryFolder, testKey } from "/work/wt/b2/tests/support/process";
import { getIntrospectionQuery } from "/work/wt/b2/node_modules/graphql";
const { folder, remove } = temporaryFolder();
const s = await startServer(folder, {});
await s.call("GET","/plans");await Bun.sleep(1500);
const pidRss=()=>{ const out=Bun.spawnSync(["sh","-c",`grep -h VmRSS /proc/*/status 2>/dev/null | head -0; for p in $(pgrep -f '${folder}' ); do grep VmRSS /proc/$p/status; done`]).stdout.toString(); return out.replace(/\s+/g," ");};
async function probe(name:string, run:()=>Promise<unknown>){
  let stop=false; let longest=0; const loop=(async()=>{ while(!stop){ const t=performance.now(); await fetch(`${s.url}/healthz`).then(r=>r.text()); longest=Math.max(longest,performance.now()-t); await Bun.sleep(1);} })();
  await Bun.sleep(200); const before=longest; longest=0; const t=performance.now(); await run(); const took=performance.now()-t; await Bun.sleep(50); stop=true; await loop; console.log(name,"took",took.toFixed(0),"healthz longest",longest.toFixed(0),"quiet",before.toFixed(0));
}
const q=(query:string)=>async()=>{ const r=await fetch(`${s.url}/graphql`,{method:"POST",headers:{"x-api-key":testKey,"content-type":"application/json"},body:JSON.stringify({query})}); const t=await r.text(); if(!t.startsWith('{"data"')) throw new Error(t.slice(0,200)); };
await probe("first op", q("{ products { totalCount } }"));
await probe("second op", q("{ plans { totalCount } }"));
for (let i=0;i<4;i++) await probe("introspection", q(getIntrospectionQuery()));
await s.stop(); remove(); process.exit(0);

EXPECT: 3 5 6 7 8
const a = make()
  // the line of the call itself, not that of what it is made of
  .sendSync('c');
const b = made[name]
  .sendSync('c');
(ipc as any).sendSync('c');
ipc.sendSync.call(ipc, 'c');
await ipc.sendSync<T>('c');
this.#ipc
  .send('c');

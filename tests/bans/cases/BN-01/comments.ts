EXPECT: 1 3 4
let a: /* why */ any;
let b: // any
  any;
let c:any;let d/*: any*/;

EXPECT: 3 6 7 9
const a = (
  <div>
    {/* @ts-ignore */}
    // @ts-ignore
    /* @ts-ignore */
    <p // @ts-expect-error
      /* @ts-ignore */
      title="// @ts-ignore"
      {...(/* @ts-ignore */ x)}
    >
      don't `mind
    </p>
  </div>
);

/**
 * What threads have set aside or used in a period, in each account; it stays when the thread is removed. Amounts are
 * millionths of a US dollar.
 *
 * `reserve` answers the account that has the least room, when that is not enough. Whoever reserves for the same account
 * or thread waits, and each statement after the locks sees what the others have done; the locks are taken in one order by
 * all.
 */
export const reservations = `
  CREATE TABLE uwf.reservation (
    thread text COLLATE "C" NOT NULL,
    period text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    changed_at bigint NOT NULL,
    PRIMARY KEY (thread, period, account)
  );
  CREATE INDEX reservation_account ON uwf.reservation (account, period);
  CREATE INDEX reservation_changed ON uwf.reservation (changed_at);

  CREATE FUNCTION uwf.reserve (
    for_thread text, in_period text, asked bigint, accounts text[], limits bigint[], given_time bigint
  ) RETURNS TABLE (place bigint, used bigint) LANGUAGE plpgsql AS $$
  DECLARE
    lock bigint;
    least record;
  BEGIN
    FOR lock IN
      SELECT DISTINCT hashtextextended(name || ' ' || in_period, 'uwf.reservation'::regclass::oid::bigint)
      FROM unnest(accounts || ('thread ' || for_thread)) AS name ORDER BY 1
    LOOP
      PERFORM pg_advisory_xact_lock(lock);
    END LOOP;
    SELECT item.place, item.most - item.used AS room, item.used INTO least FROM (
      SELECT given.place, given.most, (
        SELECT least(coalesce(sum(reservation.amount), 0), 9007199254740991)::bigint FROM uwf.reservation
        WHERE reservation.account = given.account AND reservation.period = in_period
          AND reservation.thread <> for_thread
      ) AS used
      FROM unnest(accounts, limits) WITH ORDINALITY AS given (account, most, place)
    ) AS item ORDER BY room, item.place LIMIT 1;
    IF least.room < asked THEN
      RETURN QUERY SELECT least.place, least.used;
      RETURN;
    END IF;
    DELETE FROM uwf.reservation WHERE reservation.thread = for_thread AND reservation.period = in_period;
    INSERT INTO uwf.reservation (thread, period, account, amount, changed_at)
    SELECT for_thread, in_period, given.account, asked, uwf.clock(given_time)
    FROM unnest(accounts) AS given (account) GROUP BY given.account;
  END
  $$;
`;

/**
 * Deliveries wait in the lines of their installations. `person` is who has asked for something by a delivery, and `heard_at` when
 * that was counted. Whoever counts for the same person waits, and sees then what the others have counted.
 */
export const lines = `
  ALTER TABLE uwf.delivery
    ADD installation text COLLATE "C" NOT NULL DEFAULT '', ADD person text COLLATE "C", ADD heard_at bigint;
  CREATE INDEX delivery_line ON uwf.delivery (installation, received_at, place) WHERE finished_at IS NULL;
  CREATE INDEX delivery_heard ON uwf.delivery (person, heard_at) WHERE person IS NOT NULL;

  CREATE FUNCTION uwf.hear (
    of_delivery text, by_person text, most bigint, within_ms bigint, given_time bigint
  ) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(by_person, 'uwf.delivery'::regclass::oid::bigint));
    UPDATE uwf.delivery SET person = by_person, heard_at = uwf.clock(given_time)
    WHERE id = of_delivery AND person IS NULL AND (
      SELECT count(*) FROM uwf.delivery AS other
      WHERE other.person = by_person AND other.heard_at > uwf.clock(given_time) - within_ms
    ) < most;
    RETURN EXISTS (SELECT FROM uwf.delivery WHERE id = of_delivery AND person = by_person);
  END
  $$;
`;

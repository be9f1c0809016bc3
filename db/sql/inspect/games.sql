-- Games that are not over: variant, version of its rules, how many.
prepare games as
select variant, rules_version, count(*) from games where status <= 2
group by variant, rules_version order by variant, rules_version;

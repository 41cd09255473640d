# Records what real Ruby makes of snippets: reads a JSON array of texts from standard input, writes one line of JSON for each.
# An exception is recorded by its class. Addresses are cut out. Needs Ruby 3.1 and its standard library:
#   node test/ruby/snippets.mjs 2500 7 | ruby --disable=error_highlight,did_you_mean test/ruby/record.rb > test/ruby/random.jsonl
ENV['TZ'] = 'UTC'
%w[json time date set bigdecimal bigdecimal/util digest base64 ipaddr uri cgi csv zlib securerandom openssl timeout stringio].each { |name| require name }
Encoding.default_external = Encoding::UTF_8
$stdin.set_encoding('UTF-8')
$VERBOSE = nil
snippets = JSON.parse($stdin.read)
real = $stdout.dup
$stderr = StringIO.new
snippets.each do |code|
  $stdout = StringIO.new
  result =
    begin
      value = Timeout.timeout(5) { Object.new.instance_eval { eval("proc do\n#{code}\nend.call", binding, 'code', 0) } }
      { 'value' => value.inspect.gsub(/:0x\h{16}/, '') }
    rescue Exception => e
      { 'error' => e.class.name }
    end
  $stdout = real
  real.puts JSON.generate({ 'code' => code }.merge(result.transform_values { |text| text.dup.force_encoding('UTF-8').scrub('?') }))
end
